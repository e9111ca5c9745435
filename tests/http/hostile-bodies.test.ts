import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDemoData, signIn, startServer } from "../../scripts/test-server.mjs";

let portal: { origin: string; stop(): Promise<void> };
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-hostile-"));
  makeDemoData(dataDir, 1);
  portal = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir } });
}, 60_000);

afterAll(async () => {
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const post = (body: string) =>
  fetch(`${portal.origin}/login`, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: portal.origin },
  });

test("does not follow a field name that asks for a list of sixty million", async () => {
  const answer = await post("intent=signIn&userName[60000000]=1&password=x");
  expect(answer.status).toBe(400);
  expect((await answer.text()).length).toBeLessThan(50_000);
}, 5_000);

test("refuses a body larger than any form before it is read", async () => {
  expect((await post(`intent=other&text=${"a".repeat(600_000)}`)).status).toBe(413);
});

test("rejects intents that exist on Object.prototype", async () => {
  for (const intent of ["constructor", "__proto__", "toString"])
    expect((await post(`intent=${intent}`)).status, intent).toBe(200);
});

test("a malformed address reveals nothing of the server", async () => {
  const answer = await fetch(`${portal.origin}/%E0%A4%A`);
  expect(answer.status).toBe(400);
  expect(await answer.text()).not.toMatch(/node_modules|at \w+ \(/);
});

test.each([
  "/management/%E2%82%AC",
  "/management/€",
  "/management/\0",
  "/management/%00",
  `/management/${"x".repeat(5000)}`,
])("a sign-in with the return path %j redirects within the portal", async (to) => {
  const form = new URLSearchParams({ intent: "signIn", userName: "admin", password: "Demo1234", to });
  const answer = await post(form.toString());
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toMatch(/^\/management\/[\x21-\x7e]*$/);
  const cookie = await signIn(portal.origin, "admin");
  const page = await fetch(`${portal.origin}/login?to=${encodeURIComponent(to)}`, {
    headers: { cookie },
    redirect: "manual",
  });
  expect(page.status).toBe(302);
});

const wizard = "/management/henvisning-tandlaeger?form=en-formular-til-det";
const own = { "sec-fetch-site": "same-origin" };
const send = (address: string, init: RequestInit & { cookie?: string }) =>
  fetch(portal.origin + address, {
    redirect: "manual",
    ...init,
    headers: { ...own, ...(init.cookie ? { cookie: init.cookie } : {}), ...init.headers },
  });

test.each(["PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])(
  "%s is not a form's method: 405 with the allowed ones",
  async (method) => {
    for (const address of ["/login", "/management/overview", "/management/konto"]) {
      const answer = await send(address, { method });
      expect([answer.status, answer.headers.get("allow")], address).toEqual([405, "GET, HEAD, POST"]);
      expect(await answer.text()).toContain('<html lang="da">');
    }
  },
);

test.each(["application/json", "text/plain", "application/xml", "image/png", "", "application/x-www-form-urlencodedx"])(
  "a body of the type %j is not a form: 415",
  async (type) => {
    for (const address of ["/login", "/management/overview", "/management/henvisning-tandlaeger"]) {
      const answer = await send(address, {
        method: "POST",
        body: Buffer.from('{"intent":"signIn"}'),
        headers: type ? { "content-type": type } : {},
      });
      expect(answer.status, address).toBe(415);
      expect(await answer.text()).toContain('<html lang="da">');
    }
  },
);

test("a malformed multipart body is refused without an unexpected error", async () => {
  const cookie = await signIn(portal.origin, "tandlaege");
  for (const type of ["multipart/form-data", "multipart/form-data; boundary=x"]) {
    const broken = { method: "POST", body: "--y\r\nnothing", headers: { "content-type": type } };
    expect((await send(wizard, { ...broken, cookie })).status, type).toBe(400);
    expect((await send("/login", broken)).status, type).toBeLessThan(500);
  }
});

const patient = {
  intent: "savePatient",
  formKey: "k1",
  cpr6: "610180",
  cpr4: "4100",
  firstName: "Åse",
  lastName: "Kjær",
  address: "Åvej 1",
  zip: "8000",
  city: "Aarhus",
  desiredTreatment: "Fjernelse af 38.",
};

test("names the field of a text far too long, with files in the form and without", async () => {
  const cookie = await signIn(portal.origin, "tandlaege");
  const fields = { ...patient, desiredTreatment: "æ".repeat(40_000), insuranceCompany: "x".repeat(70_000) };
  const withFiles = new FormData();
  for (const [name, value] of Object.entries(fields)) withFiles.append(name, value);
  for (const body of [new URLSearchParams(fields), withFiles]) {
    const answer = await send(wizard, { method: "POST", cookie, body });
    expect(answer.status).toBe(400);
    const text = await answer.text();
    expect(text).toContain("Teksten er for lang: højst 4.000 tegn, og her er ");
    expect(text).toContain("Teksten er for lang: højst 200 tegn, og her er ");
  }
  withFiles.set("comment", "x".repeat(300_000));
  const beyond = await send(wizard, { method: "POST", cookie, body: withFiles });
  expect([beyond.status, (await beyond.text()).includes("En af teksterne er for lang.")]).toEqual([413, true]);
});

test("a box that is sent twice is refused without an unexpected error", async () => {
  const cookie = await signIn(portal.origin, "tandlaege");
  const body = new URLSearchParams({ ...patient, formKey: "twice-the-same" });
  body.append("cpr4", "4100");
  expect((await send(wizard, { method: "POST", cookie, body })).status).toBe(400);
});

test("refuses what a person cannot have typed in one sentence", async () => {
  const cookie = await signIn(portal.origin, "tandlaege");
  for (const [name, value] of [
    ["formKey", "k".repeat(100)],
    ["version", "x"],
    ["referralId", "æ"],
  ] as const) {
    const answer = await send(wizard, {
      method: "POST",
      cookie,
      body: new URLSearchParams({ ...patient, [name]: value }),
    });
    expect(answer.status, name).toBe(400);
    const text = await answer.text();
    expect(text, name).toContain("Siden er forældet. Genindlæs den, og prøv igen.");
    expect(text, name).not.toMatch(/Invalid|expected|Too big|Ugyldigt input/);
  }
});

test("a failed page says so in its title", async () => {
  const cookie = await signIn(portal.origin, "tandlaege");
  const titleOf = async (address: string) => {
    const answer = await send(address, { cookie });
    return [answer.status, /<title>(.*?)<\/title>/.exec(await answer.text())?.[1]];
  };
  expect(await titleOf("/management/overview/999999")).toEqual([404, "Henvisningsportalen - Siden findes ikke"]);
  expect(await titleOf("/management/findes-ikke")).toEqual([404, "Henvisningsportalen - Siden findes ikke"]);
  expect(await titleOf("/findes-ikke")).toEqual([404, "Henvisningsportalen - Siden findes ikke"]);
  expect(await titleOf("/build/findes-ikke.js")).toEqual([404, "Henvisningsportalen - Siden findes ikke"]);
});

test("an unknown address leads to the overview, and offers to sign out only where another account may have access", async () => {
  const unknown = await (await send("/findes-ikke", {})).text();
  expect([unknown.includes("Til oversigten"), unknown.includes("Log ud")]).toEqual([true, false]);
  const cookie = await signIn(portal.origin, "tandlaege");
  const denied = await send("/management/users", { cookie });
  expect([denied.status, (await denied.text()).includes("Log ud")]).toEqual([403, true]);
});

test("an unexpected error in the wizard shows its own text and keeps what was typed", async () => {
  const cookie = await signIn(portal.origin, "tandlaege");
  const database = new Database(path.join(dataDir, "portal.db"), { timeout: 5000 });
  database.exec("alter table referral_name_token rename to referral_name_token_away");
  try {
    const answer = await send(wizard, {
      method: "POST",
      cookie,
      body: new URLSearchParams({
        ...patient,
        formId: "step1-en-formular-til-det",
        formKey: "an-unexpected-error",
        firstName: "Blåbær",
      }),
    });
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).toContain("Server error. Noget gik galt. Prøv igen senere.");
    expect(text).toContain('value="Blåbær"');
    expect(text).not.toMatch(/referral_name_token|SqliteError/);
  } finally {
    database.exec("alter table referral_name_token_away rename to referral_name_token");
    database.close();
  }
});

test("an unexpected error in an open referral shows its own text and keeps what was typed", async () => {
  const cookie = await signIn(portal.origin, "admin");
  const database = new Database(path.join(dataDir, "portal.db"), { timeout: 5000 });
  const { id, version } = database
    .prepare("select id, version from referral where sent_at is not null limit 1")
    .get() as { id: number; version: number };
  database.exec("alter table referral_name_token rename to referral_name_token_away");
  try {
    const fields = {
      intent: "editPatient",
      referralId: String(id),
      seenVersion: String(version),
      cpr6: "690177",
      cpr4: "1999",
      firstName: "Blåbær",
      lastName: "Ærø",
      zip: "5970",
      city: "Ærøskøbing",
    };
    const answer = await send(`/management/overview/${id}?ret=patient`, {
      method: "POST",
      cookie,
      body: new URLSearchParams(fields),
    });
    const text = await answer.text();
    expect([
      answer.status,
      text.includes("!!! SERVER ERROR !!! Dine ændringer er ikke gemt."),
      text.includes('value="Blåbær"'),
    ]).toEqual([500, true, true]);
    expect(text).not.toMatch(/referral_name_token|SqliteError/);
  } finally {
    database.exec("alter table referral_name_token_away rename to referral_name_token");
    database.close();
  }
});

const numbers = (count: number): [string, string][] =>
  Array.from({ length: count }, (_, index) => ["pick", String(index + 1)]);

test.each<[string, string, number, [string, string][] | Record<string, string>]>([
  ["", "Teksten er for lang: højst 200 tegn.", 400, { intent: "applyFilter", patientName: "x".repeat(300) }],
  ["", "Skriv nummeret med tal.", 400, { intent: "applyFilter", visitNumber: "tolv" }],
  ["", "Skriv seks cifre, eller hele CPR-nummeret.", 400, { intent: "applyFilter", cpr6: "12" }],
  ["", "Datoen findes ikke.", 400, { intent: "applyFilter", dateFrom: "40.40.2020" }],
  [
    "",
    "Fra-datoen kan ikke være efter til-datoen.",
    400,
    { intent: "applyFilter", dateFrom: "02.01.2026", dateTo: "01.01.2026" },
  ],
  ["", "Vælg fra listen.", 400, { intent: "applyFilter", referrerId: "abc" }],
  ["", "Vælg fra listen.", 400, { intent: "applyFilter", statuses: "x" }],
  ["", "Vælg mindst én henvisning i listen først.", 400, { intent: "setStatuses", status: "2" }],
  ["", "Vælg en status.", 400, { intent: "setStatuses", status: "99", pick: "1" }],
  ["", "Vælg henvisningerne i listen igen.", 400, { intent: "setStatuses", status: "2", pick: "1;2" }],
  ["", "Vælg højst 1.000 ad gangen.", 400, [["intent", "setStatuses"], ["status", "2"], ...numbers(1001)]],
  [
    "/masse",
    "Siden er forældet. Genindlæs den, og prøv igen.",
    400,
    { intent: "setAllStatuses", status: "2", count: "x" },
  ],
  [
    "/masse",
    "Intet er ændret: se efter, og bekræft igen.",
    409,
    { intent: "setAllStatuses", status: "2", count: "999" },
  ],
  ["/masse", "Vælg en status.", 400, { intent: "setAllStatuses", status: "", count: "1" }],
  [
    "/masse",
    "Linket til filteret gælder ikke længere. Søg igen.",
    400,
    { intent: "setAllStatuses", status: "2", count: "1", f: "brudt" },
  ],
  ["", "Siden er forældet. Genindlæs den, og prøv igen.", 400, { intent: "undoStatuses", massChangeId: "x" }],
  ["/eksport", "Vælg en eller flere henvisninger i listen først.", 400, { intent: "exportPicked" }],
  ["/eksport", "Vælg højst 500 ad gangen.", 400, [["intent", "exportPicked"], ...numbers(501)]],
  ["/eksport", "Filteret gælder ikke længere.", 400, { intent: "exportFiltered", f: "brudt" }],
  ["/eksport", "Vælg mindst én dato.", 400, { intent: "exportByDates" }],
  [
    "/eksport",
    "Fra-datoen kan ikke være efter til-datoen.",
    400,
    { intent: "exportByDates", dateFrom: "02.01.2026", dateTo: "01.01.2026" },
  ],
  [
    "/eksport",
    "Perioden kan højst være et år.",
    400,
    { intent: "exportByDates", dateFrom: "01.01.2026", dateTo: "02.01.2027" },
  ],
  ["/eksport", "Skriv en dato som dd.mm.åååå.", 400, { intent: "exportByDates", dateFrom: "i går" }],
])("the overview%s refuses with a text: %s", async (below, text, status, fields) => {
  const cookie = await signIn(portal.origin, "admin");
  const answer = await send(`/management/overview${below}`, {
    method: "POST",
    cookie,
    body: new URLSearchParams(fields),
  });
  const page = await answer.text();
  expect([answer.status, page.includes(text)]).toEqual([status, true]);
  expect(page).not.toMatch(/Ugyldigt input|Invalid|expected/);
});

test("an unexpected error behind GEM shows its own text and keeps the choice", async () => {
  const cookie = await signIn(portal.origin, "admin");
  const database = new Database(path.join(dataDir, "portal.db"), { timeout: 5000 });
  const { id, version, status } = database
    .prepare("select id, version, status from referral where sent_at is not null limit 1")
    .get() as { id: number; version: number; status: number };
  const chosen = status === 15 ? 12 : 15;
  database.exec("alter table visit_log rename to visit_log_away");
  try {
    const body = new URLSearchParams({
      intent: "setStatus",
      referralId: String(id),
      seenVersion: String(version),
      status: String(chosen),
    });
    const answer = await send(`/management/overview?f=s${status}`, { method: "POST", cookie, body });
    const page = await answer.text();
    const row = new RegExp(`<tr id="r${id}".*?</tr>`, "s").exec(page)?.[0];
    expect([
      answer.status,
      page.includes("!!! SERVER ERROR !!! Dine ændringer er ikke gemt."),
      row?.includes('data-state="failure"'),
      new RegExp(`<option (?=[^>]*value="${chosen}")[^>]*selected`).test(row ?? ""),
    ]).toEqual([500, true, true, true]);
    expect(page).not.toMatch(/visit_log|SqliteError/);
  } finally {
    database.exec("alter table visit_log_away rename to visit_log");
    database.close();
  }
});

test("signing in clears the browser's cache; an old browser is warned once a day", async () => {
  const signedIn = await post(
    new URLSearchParams({ intent: "signIn", userName: "tandlaege", password: "Demo1234" }).toString(),
  );
  expect(signedIn.headers.get("clear-site-data")).toBe('"storage"');
  const cookie = await signIn(portal.origin, "tandlaege");
  const old = {
    "user-agent":
      "Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.3538.77 Safari/537.36",
  };
  const pageAt = async (cookies: string) =>
    (await send("/management/overview", { cookie: cookies, headers: old })).text();
  expect(await pageAt(cookie)).toMatch(/Din browser er gammel\..*70 00 00 00.*mailto:support@eksempel\.dk/s);
  const closed = await send("/management", {
    method: "POST",
    cookie,
    headers: old,
    body: new URLSearchParams({ intent: "closeBrowserWarning", to: "/management/overview" }),
  });
  const kept = closed.headers.getSetCookie().find((each) => each.startsWith("browser-warning-seen="));
  expect([closed.status, closed.headers.get("location"), kept]).toEqual([
    303,
    "/management/overview",
    expect.stringContaining("Max-Age=86400"),
  ]);
  expect(await pageAt(`${cookie}; ${kept!.split(";")[0]}`)).not.toContain("Din browser er gammel.");
});
