import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDemoData, signIn, startServer } from "../../scripts/test-server.mjs";
import { forms } from "../support/forms";
import { intentsOfRoutes } from "../support/intents";
import { type Kind, routes } from "../support/routes";

/** Who asks. The two secretaries and the two dentists belong to different clinics. */
const people = ["nobody", "admin", "kirurg", "sekretaer", "tandlaegesekretaer", "tandlaege", "tandlaege2"] as const;
type Who = (typeof people)[number];
const staff: Who[] = ["admin", "kirurg"];

const sites = { local: null, staff: "klinik.test", public: "www.henvis.test" } as const;
type Site = keyof typeof sites;

/** Who sees a referral that `tandlaege` (clinic A) sent, and one that `tandlaege2` (clinic B) sent. */
const sees: Record<"own" | "other", Who[]> = {
  own: [...staff, "sekretaer", "tandlaege"],
  other: [...staff, "tandlaege2"],
};

let portal: { origin: string; stop(): Promise<void> };
let dataDir: string;
const cookies = new Map<Who, string>();
const referrals = { own: { id: 0, file: 0 }, other: { id: 0, file: 0 } };

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-access-"));
  makeDemoData(dataDir, 5);
  portal = await startServer({
    env: {
      NODE_ENV: "development",
      DATA_DIR: dataDir,
      ADMIN_ORIGIN: "http://klinik.test",
      PUBLIC_ORIGIN: "http://www.henvis.test",
    },
  });
  for (const who of people) if (who !== "nobody") cookies.set(who, await signIn(portal.origin, who));
  referrals.own = await sendReferral("tandlaege", "610190-1001");
  referrals.other = await sendReferral("tandlaege2", "620191-1002");
  // Each has a discharge letter, whose PDF is still to come.
  for (const { id } of [referrals.own, referrals.other])
    await post("admin", `/management/overview/${id}`, { intent: "beginLetter", referralId: id });
}, 120_000);

afterAll(async () => {
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Answer {
  status: number;
  location: string | undefined;
  text: string;
}

function ask(
  who: Who,
  address: string,
  {
    site = "local" as Site,
    method = "GET",
    body,
    headers = {},
  }: { site?: Site; method?: string; body?: string; headers?: Record<string, string> } = {},
) {
  const host = sites[site] ?? new URL(portal.origin).host;
  const cookie = cookies.get(who);
  return new Promise<Answer>((resolve, reject) => {
    const sent = http.request(
      portal.origin + address,
      { method, agent: false, headers: { host, ...(cookie ? { cookie } : {}), ...headers } },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => (text += part));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, text }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

function post(who: Who, address: string, fields: Record<string, string | number>, site: Site = "local") {
  const body = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
  return ask(who, address, { site, method: "POST", body, headers });
}

const wizard = "/management/henvisning-tandlaeger?form=a-form-of-its-own";

async function sendReferral(who: Who, cpr: string): Promise<{ id: number; file: number }> {
  const form = {
    formKey: cpr,
    cpr6: cpr.slice(0, 6),
    cpr4: cpr.slice(7),
    firstName: "Åse",
    lastName: "Kjær",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    desiredTreatment: "Fjernelse af 38.",
  };
  const saved = await post(who, wizard, { intent: "savePatient", ...form });
  const id = Number(/kladde=(\d+)/.exec(saved.location ?? "")?.[1]);
  await post(who, wizard, { intent: "saveReferrer", referralId: id });
  await upload(who, id);
  await post(who, wizard, { intent: "sendReferral", referralId: id, formKey: "send", radiographsSendType: 0 });
  const page = await ask(who, `/management/overview/${id}`);
  return { id, file: Number(/files\/(\d+)/.exec(page.text)?.[1]) };
}

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function upload(who: Who, id: number) {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    intent: "addRadiographs",
    formId: "step3",
    referralId: String(id),
    formKey: `up-${id}`,
    radiographType: "0",
  }))
    form.set(name, value);
  form.set("radiographs", new Blob([pixel], { type: "image/png" }), "48.png");
  const answer = await fetch(`${portal.origin}${wizard}`, {
    method: "POST",
    body: form,
    redirect: "manual",
    headers: { cookie: cookies.get(who) ?? "", origin: portal.origin },
  });
  expect(answer.status).toBe(303);
}

/** What a route must answer, from the rules alone. */
function expected(kind: Kind, who: Who, site: Site, isSeen: boolean): number {
  if (kind === "open") return 200;
  if (kind === "publicPage") return site === "staff" ? 404 : 200;
  if (kind === "patientLink") return site === "staff" ? 404 : 403;
  if (kind === "webhook") return site === "staff" ? 404 : 405;
  if (kind === "developmentMissing") return 404;
  if (kind === "development") return site === "local" ? 200 : 404;
  if (kind === "staffHost" && site === "public") return 404;
  if (who === "nobody") return kind === "api" || kind === "staffHost" ? 401 : 302;
  const isStaff = staff.includes(who);
  if (kind !== "redirect" && ((site === "staff" && !isStaff) || (site === "public" && isStaff))) return 403;
  if (kind === "redirect") return 302;
  if ((kind === "staff" || kind === "sealed") && !isStaff) return 403;
  if (kind === "directory" && who.startsWith("tandlaege") && who !== "tandlaegesekretaer") return 403;
  if (kind === "missing" || kind === "sealed" || ((kind === "referral" || kind === "staffInReferral") && !isSeen))
    return 404;
  return kind === "staffInReferral" && !isStaff ? 403 : 200;
}

test("lists every route of the portal in the table", () => {
  expect(readdirSync("app/routes").sort()).toEqual(Object.keys(routes).sort());
});

describe.each(Object.entries(routes))("%s", (_route, { kind, address }) => {
  const which = address.includes("{id}") ? (["own", "other"] as const) : (["own"] as const);
  for (const site of Object.keys(sites) as Site[]) {
    test(`through the ${site} site`, async () => {
      for (const referral of which) {
        for (const who of people) {
          const { id, file } = referrals[referral];
          const answer = await ask(
            who,
            address
              .replace("{id}", String(id))
              .replace("{own}", String(referrals.own.id))
              .replace("{file}", String(file)),
            { site },
          );
          const wanted =
            address === "/login" && who !== "nobody"
              ? 302
              : wantedOf(kind, address, who, site, sees[referral].includes(who));
          expect(answer.status, `${who}, ${referral}`).toBe(wanted);
          if (answer.status === 403 && kind !== "patientLink") expect(answer.text).toContain("Access Denied by Role");
          if (answer.status === 302 && who === "nobody" && kind !== "redirect")
            expect(answer.location).toContain("/login?to=");
        }
      }
    });
  }
});

/** The bare management address, and the step for a password that was given, check the site before they lead on; `/` does not know anybody. */
function wantedOf(kind: Kind, address: string, who: Who, site: Site, isSeen: boolean): number {
  if (["/management", "/management/ny-adgangskode", "/management/totrinslogin"].includes(address) && who !== "nobody")
    return expected("signedIn", who, site, true) === 403 ? 403 : 302;
  return expected(kind, who, site, isSeen);
}

describe("forms", () => {
  test("lists every intent of every route in the table", () => {
    const inTable = Object.fromEntries(
      Object.entries(forms).map(([route, intents]) => [route, Object.keys(intents).sort()]),
    );
    expect(inTable).toEqual(
      Object.fromEntries(Object.entries(intentsOfRoutes()).map(([route, intents]) => [route, intents.sort()])),
    );
  });

  describe.each(Object.entries(forms))("%s", (route, intents) => {
    test.each(Object.entries(intents))("%s", async (intent, { fields, answers, endsSession }) => {
      const address = routes[route]!.address.replace("{id}", String(referrals.other.id))
        .replace("{own}", String(referrals.own.id))
        .replace("{file}", String(referrals.other.file));
      const given: string[] = [];
      for (const who of people) {
        const before = cookies.get(who);
        if (endsSession && before) cookies.set(who, await signIn(portal.origin, who));
        given.push(`${who} ${(await post(who, address, { intent, ...fields(referrals) })).status}`);
        if (before) cookies.set(who, before);
      }
      expect(given).toEqual(answers.split(" ").map((status, index) => `${people[index]} ${status}`));
    });
  });

  test("an intent that a route does not have is a form of an older page: it changes nothing and keeps what was typed", async () => {
    for (const intent of ["noSuchIntent", "constructor", "*"])
      for (const who of ["admin", "tandlaege"] as const) {
        const { status, text } = await post(who, `/management/overview/${referrals.own.id}`, {
          intent,
          text: "Hvornår?",
        });
        expect([status, text.includes("Siden er forældet."), text.includes("Hvornår?")], intent).toEqual([
          400,
          true,
          true,
        ]);
      }
  });

  test("a form about something deleted meanwhile is answered in its own page; a deleted page gets an error page", async () => {
    const gone = { intent: "deleteTreatmentType", treatmentTypeId: 999_999, seenVersion: 1 };
    const inPage = await post("admin", "/management/settings?index", gone);
    expect([inPage.status, /<h1[^>]*>([^<]*)/.exec(inPage.text)?.[1]]).toEqual([404, "Indstillinger"]);
    expect(inPage.text).toContain("Behandlingstypen findes ikke længere.");
    // With JavaScript the shell asks for what there is to say, once.
    const scripted = await post("admin", "/management/settings?index&_data=routes/management.settings._index", gone);
    expect([scripted.status, JSON.parse(scripted.text)]).toMatchObject([404, { refusal: "notInScope" }]);
    const shell = await ask("admin", "/management/settings?_data=routes/management");
    expect((JSON.parse(shell.text) as { flash: { text: string }[] }).flash.map(({ text }) => text)).toEqual([
      "Behandlingstypen findes ikke længere.",
    ]);
    const page = await post("tandlaege2", "/management/overview/999999", {
      intent: "writeMessage",
      referralId: 999_999,
      formKey: "of-a-deleted-page",
      text: "x",
    });
    expect([page.status, page.text.includes("Siden findes ikke")]).toEqual([404, true]);
  });

  test("the wizard's visitId of a referral outside the scope is 404 at once", async () => {
    for (const who of ["sekretaer", "tandlaegesekretaer", "tandlaege"] as const)
      expect((await ask(who, `/management/henvisning-tandlaeger?visitId=${referrals.other.id}`)).status, who).toBe(404);
    expect((await ask("admin", `/management/henvisning-tandlaeger?visitId=999999`)).status).toBe(404);
    for (const who of ["admin", "tandlaege2"] as const)
      expect((await ask(who, `/management/henvisning-tandlaeger?visitId=${referrals.other.id}`)).status, who).toBe(302);
  });

  test("refuses a form from another site, and one without an origin", async () => {
    const body = new URLSearchParams({
      intent: "setStatus",
      referralId: String(referrals.other.id),
      status: "7",
      seenVersion: "1",
    }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const senders: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://ond.example" },
      { origin: "null" },
      {},
    ];
    for (const headers of senders) {
      const answer = await ask("admin", "/management/overview", {
        method: "POST",
        body,
        headers: { ...type, ...headers },
      });
      expect(answer.status, JSON.stringify(headers)).toBe(403);
    }
  });
});

/** Text that only staff may read, by where it is stored. The referral is `own`, which a secretary and its dentist see too. */
const internal = {
  "the log": (id: number) => ["update visit_log set event = ? where referral_id = ?", id],
  "the referrer's e-mail": (id: number) => [
    "update user set email = ? where id = (select referrer_id from referral where id = ?)",
    id,
  ],
  "a letter's receiver": (id: number) => [
    "insert into discharge_letter (recipient_email, referral_id, letter_number, status, attempts, is_edi, send_edi_as_email, created_at) values (?, ?, 2, 1, 1, 0, 0, '2026-11-01 09:00:00.000')",
    id,
  ],
  "a letter's error": (id: number) => [
    "update discharge_letter set error_message = ?, status = 2 where referral_id = ?",
    id,
  ],
  "where the clinic hears of messages": () => [
    "insert into setting (name, value, modified_at) values ('messageMailAddress', ?, '2026-11-01 09:00:00.000')",
  ],
} satisfies Record<string, (id: number) => [string, ...number[]]>;

test("leaves out what only staff may see of every loader's data and every API answer of everybody else", async () => {
  const marks = Object.keys(internal).map((where, index) => ({ where, text: `kanariefugl-${index}@eksempel.dk` }));
  const database = new Database(path.join(dataDir, "portal.db"), { timeout: 5000 });
  for (const { where, text } of marks) {
    const [statement, ...values] = internal[where as keyof typeof internal](referrals.own.id) as [string, ...number[]];
    database.prepare(statement).run(text, ...values);
  }
  database
    .prepare(
      "update referral set is_test = 1, exported_to_csv = 1, radiograph_export_status = 2, send_radiograph_to_patient = 1, force_radiograph_export = 1, external_doctor_id = null where id = ?",
    )
    .run(referrals.own.id);
  database.close();

  const { id, file } = referrals.own;
  const pages = Object.entries(routes)
    .filter(([route, { kind }]) => route.startsWith("management") && kind !== "sealed")
    .map(
      ([route, { address }]) =>
        `${address.replace("{id}", String(id)).replace("{own}", String(id)).replace("{file}", String(file))}${address.includes("?") ? "&" : "?"}_data=routes%2F${encodeURIComponent(route)}`,
    );
  const calls = [
    "Account",
    "Visits",
    `Visits/${id}`,
    `Visits/${id}/messages`,
    `Visits/${id}/visitlog`,
    `Visits/${id}/appointmentinfo`,
    `Visits/${id}/patientinfo`,
    `Visits/${id}/doctorinfo`,
    `Incall/logs/${id}`,
    `Invoices/${id}`,
    "Doctors",
    "Drafts",
  ];
  const readBy = async (who: Who) =>
    (
      await Promise.all(
        [...pages, ...calls.map((call) => `/api/${call}`)].map(async (address) => ({
          address,
          text: (await ask(who, address)).text,
        })),
      )
    ).flatMap(({ address, text }) =>
      marks.filter((mark) => text.includes(mark.text)).map(({ where }) => `${where} at ${address.split("?")[0]}`),
    );

  const staffs = await readBy("admin");
  for (const { where } of marks)
    expect(
      staffs.some((found) => found.startsWith(where)),
      `${where} is shown to staff`,
    ).toBe(true);
  // Of a discharge letter everybody who has it sees whom it went to, and of the list of them the referrer's address.
  const ofLetters = [
    `a letter's receiver at /management/overview/${id}`,
    "the referrer's e-mail at /management/ending-letter",
    "a letter's receiver at /management/ending-letter",
  ];
  expect((await readBy("sekretaer")).toSorted()).toEqual(ofLetters.toSorted());
  // One's own address stands on one's own profile, in one's own account, and at the foot of step 1, where one refers oneself.
  expect((await readBy("tandlaege")).toSorted()).toEqual(
    [
      ...ofLetters,
      "the referrer's e-mail at /api/Account",
      "the referrer's e-mail at /management/change-password",
      "the referrer's e-mail at /management/henvisning-tandlaeger",
    ].toSorted(),
  );

  const visit = async (who: Who) => JSON.parse((await ask(who, `/api/Visits/${id}`)).text) as Record<string, unknown>;
  const flags = [
    "isTestVisit",
    "sendRadiographToPatient",
    "forceRadiographExport",
    "exportedToCsv",
    "radiographExportStatus",
    "surgeonHaveUnreadMessages",
    "modifyDate",
    "doctorEmail",
  ];
  for (const who of ["sekretaer", "tandlaege"] as const) {
    const seen = await visit(who);
    expect(
      flags.map((flag) => seen[flag] || null),
      who,
    ).toEqual(flags.map(() => null));
    const { rows } = JSON.parse((await ask(who, "/management/overview?_data=routes%2Fmanagement.overview")).text) as {
      rows: Record<string, unknown>[];
    };
    const row = rows.find((each) => each["id"] === id);
    expect(row).not.toHaveProperty("externalDoctorId");
    for (const mark of ["exportStatus", "isExported", "isTest"]) expect(row).not.toHaveProperty(mark);
  }
  expect(await visit("admin")).toMatchObject({
    isTestVisit: true,
    sendRadiographToPatient: true,
    forceRadiographExport: true,
    exportedToCsv: true,
    radiographExportStatus: 2,
  });
});

describe("hosts", () => {
  test.each([
    ["henvis.test", "/login?userName=a", 308, "http://www.henvis.test/login?userName=a"],
    ["ukendt.test", "/login", 421, undefined],
    ["klinik.test.ond.example", "/login", 421, undefined],
  ])("%s%s", async (host, address, status, location) => {
    const answer = await ask("nobody", address, { headers: { host } });
    expect([answer.status, answer.location]).toEqual([status, location]);
  });

  test("ignores X-Forwarded headers of a proxy that is not configured", async () => {
    const answer = await ask("nobody", "/login", {
      headers: { "x-forwarded-host": "ukendt.test", "x-forwarded-for": "10.0.0.1" },
    });
    expect(answer.status).toBe(200);
  });

  test("health answers on every host and says nothing more", async () => {
    for (const host of Object.values(sites).filter((name) => name !== null)) {
      const answer = await ask("nobody", "/healthz", { headers: { host } });
      expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
    }
    expect((await ask("nobody", "/readyz")).text).toBe('{"database":"ok","files":"ok","secret":"ok"}');
  });

  test("refuses an anonymous upload before its body has been read", async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const sent = http.request(`${portal.origin}${wizard}`, {
        method: "POST",
        agent: false,
        headers: {
          "content-type": "multipart/form-data; boundary=x",
          "content-length": "1000000000",
          "sec-fetch-site": "same-origin",
        },
      });
      sent.on("response", (response) => {
        resolve(response.statusCode ?? 0);
        sent.destroy();
      });
      sent.on("error", reject);
      // One byte of a promised gigabyte: an answer now cannot have waited for the rest.
      sent.write("-");
    });
    expect(answer).toBe(401);
  });
});

describe("a mailed link to a discharge letter", () => {
  test("leads to the referral, by way of sign-in, within the reader's scope", async () => {
    const link = `?vid=${referrals.own.id}&mid=5&num=1&trmPdf=true`;
    for (const page of ["/", "/login", "/management/overview", "/pdf/visit"]) {
      expect((await ask("nobody", `${page}${link}`)).location, page).toBe(
        `/management/overview/${referrals.own.id}?brev=1&som=pdf&mid=5`,
      );
    }
    const asked = `/management/overview/${referrals.own.id}?brev=1&som=zip`;
    expect((await ask("nobody", asked)).location).toBe(`/login?to=${encodeURIComponent(asked)}`);
    expect((await ask("tandlaege2", asked)).status).toBe(404);
    const page = await ask("tandlaege", asked);
    expect(page.text).toContain(`content="0;url=/management/overview/${referrals.own.id}/breve/1?som=zip"`);
    expect((await ask("tandlaege", "/management/overview?vid=1&num=1")).status).toBe(200);
  });
});

test("a file that is deleted or outside the scope is 404 alike, as a page or as data", async () => {
  for (const part of ["", "/preview"]) {
    const foreign = `/management/overview/${referrals.other.id}/files/${referrals.other.file}${part}`;
    const gone = `/management/overview/${referrals.own.id}/files/999999${part}`;
    for (const address of [foreign, gone]) {
      const page = await ask("tandlaege", address, {
        headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
      });
      expect(page.status).toBe(404);
      expect(page.text).toMatch(/^<!doctype html><html lang="da">/);
      expect(page.text).toContain("Filen kan ikke hentes");
      const data = await ask("tandlaege", address, { headers: { accept: "*/*" } });
      expect([data.status, Object.keys(JSON.parse(data.text) as object)]).toEqual([404, ["text", "refusal"]]);
    }
  }
});
