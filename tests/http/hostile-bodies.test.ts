// @module-tag node
import { expect, test } from "vitest";
import { pageTicket } from "../support/form-ticket";
import { demoPortal } from "../support/portals/demo-portal";

const portal = demoPortal({ people: ["admin", "tandlaege"] });

const post = (body: string) =>
  fetch(`${portal.origin}/login`, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: portal.origin },
  });

const wizard = "/management/henvisning-tandlaeger?form=en-formular-til-det";
const own = { "sec-fetch-site": "same-origin" };
const send = (address: string, init: RequestInit & { cookie?: string }) =>
  fetch(portal.origin + address, {
    redirect: "manual",
    ...init,
    headers: { ...own, ...(init.cookie ? { cookie: init.cookie } : {}), ...init.headers },
  });

test("does not follow a field name that asks for a list of sixty million", async () => {
  const answer = await post("intent=signIn&userName[60000000]=1&password=x");
  expect(answer.status).toBe(400);
  expect((await answer.text()).length).toBeLessThan(50_000);
});

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
  const cookie = portal.cookies.tandlaege!;
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
  const cookie = portal.cookies.tandlaege!;
  const ticket = pageTicket(portal, "tandlaege");
  const fields = { ...patient, ticket, desiredTreatment: "æ".repeat(40_000), insuranceCompany: "x".repeat(70_000) };
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
  const page = await beyond.text();
  expect([beyond.status, page.includes("En af teksterne er for lang.")]).toEqual([413, true]);
  expect(page).not.toMatch(/Filerne blev ikke modtaget|Til log ind/);
});

test("a box that is sent twice is refused without an unexpected error", async () => {
  const cookie = portal.cookies.tandlaege!;
  const body = new URLSearchParams({
    ...patient,
    formKey: "twice-the-same",
    ticket: pageTicket(portal, "tandlaege"),
  });
  body.append("cpr4", "4100");
  expect((await send(wizard, { method: "POST", cookie, body })).status).toBe(400);
});

test("refuses what a person cannot have typed in one sentence", async () => {
  const fields = { ...patient, formKey: "k".repeat(100), ticket: pageTicket(portal, "tandlaege") };
  const body = new URLSearchParams(fields);
  const answer = await send(wizard, { method: "POST", cookie: portal.cookies.tandlaege!, body });
  expect(answer.status).toBe(400);
  const text = await answer.text();
  expect(text).toContain("Siden er forældet. Genindlæs den, og prøv igen.");
  expect(text).not.toMatch(/Invalid|expected|Too big|Ugyldigt input/);
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
  ["", "Vælg en henviser fra listen.", 400, { intent: "applyFilter", referrerId: "abc" }],
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
  const cookie = portal.cookies.admin!;
  const body = new URLSearchParams(fields);
  body.set("ticket", pageTicket(portal, "admin"));
  const answer = await send(`/management/overview${below}`, { method: "POST", cookie, body });
  const page = await answer.text();
  expect([answer.status, page.includes(text)]).toEqual([status, true]);
  expect(page).not.toMatch(/Ugyldigt input|Invalid|expected/);
});
