import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDemoData, signIn, startServer } from "../../scripts/measured-portal.mjs";

/** Who asks. The two secretaries and the two dentists belong to different clinics. */
const people = ["nobody", "admin", "kirurg", "sekretaer", "tandlaegesekretaer", "tandlaege", "tandlaege2"] as const;
type Who = (typeof people)[number];
const staff: Who[] = ["admin", "kirurg"];

const doors = { local: null, staff: "klinik.test", public: "www.henvis.test" } as const;
type Door = keyof typeof doors;

/** Who sees a referral that `tandlaege` (clinic A) sent, and one that `tandlaege2` (clinic B) sent. */
const sees: Record<"own" | "other", Who[]> = {
  own: [...staff, "sekretaer", "tandlaege"],
  other: [...staff, "tandlaege2"],
};

type Kind =
  /** Staff alone. */
  | "staff"
  /** Staff alone, by an address that is sealed for one person: with any other seal there is nothing. */
  | "sealed"
  /** Anyone, signed in or not. */
  | "open"
  /** Everybody who is signed in. */
  | "signedIn"
  /** Only those who see the referral that the address names; 404 for everybody else. */
  | "referral"
  /** Staff alone, over an open referral: whoever does not see it learns that first. */
  | "staffInReferral"
  /** Of a referral, and not there: 404 for everybody who is signed in. */
  | "missing"
  /** JSON: 401 instead of a redirect. */
  | "api"
  /** JSON, and not served to the public. */
  | "staffHost"
  /** Development only: not served on the hosts of production. */
  | "development"
  /** Leads elsewhere. */
  | "redirect";

/** Every route with an address to ask for. `{own}` and `{other}` stand for the two referrals. */
const routes: Record<string, { kind: Kind; address: string }> = {
  _index: { kind: "redirect", address: "/" },
  login: { kind: "open", address: "/login" },
  "change-password": { kind: "open", address: "/change-password" },
  "pdf.visit": { kind: "referral", address: "/pdf/visit?id={id}" },
  management: { kind: "redirect", address: "/management" },
  "management._index": { kind: "redirect", address: "/management" },
  "management.overview": { kind: "signedIn", address: "/management/overview" },
  "management.overview.afslut": { kind: "staff", address: "/management/overview/afslut?nr={own}" },
  "management.overview.masse": { kind: "staff", address: "/management/overview/masse?status=2" },
  "management.overview.eksport": { kind: "staff", address: "/management/overview/eksport" },
  "management.overview.eksport[.]csv": { kind: "sealed", address: "/management/overview/eksport.csv?e=somebody-elses" },
  "management.overview.$visitId": { kind: "referral", address: "/management/overview/{id}" },
  "management.overview.$visitId.billeder[.]zip": { kind: "referral", address: "/management/overview/{id}/billeder.zip" },
  "management.overview.$visitId.roentgenbilleder": { kind: "referral", address: "/management/overview/{id}/roentgenbilleder" },
  "management.overview.$visitId.images.$fileId.slet": { kind: "staffInReferral", address: "/management/overview/{id}/images/{file}/slet" },
  "management.overview_.$visitId_.images.$fileId": { kind: "referral", address: "/management/overview/{id}/images/{file}" },
  "management.overview.$visitId.pdf": { kind: "referral", address: "/management/overview/{id}/pdf" },
  // No letter yet: staff and the owner learn that it is missing, everybody else that there is nothing.
  "management.overview.$visitId.breve.$letterNumber": { kind: "missing", address: "/management/overview/{id}/breve/1" },
  "management.overview.$visitId.files.$fileId": { kind: "referral", address: "/management/overview/{id}/files/{file}" },
  "management.overview.$visitId.files.$fileId.preview": { kind: "referral", address: "/management/overview/{id}/files/{file}/preview" },
  "management.henvisning-tandlaeger": { kind: "signedIn", address: "/management/henvisning-tandlaeger?form=a-form-of-its-own" },
  "management.visit-sent": { kind: "signedIn", address: "/management/visit-sent" },
  "management.draft-visits": { kind: "signedIn", address: "/management/draft-visits" },
  "management.aftaletider": { kind: "staff", address: "/management/aftaletider" },
  "management.aftaletider_.$fileId": { kind: "sealed", address: "/management/aftaletider/999999" },
  "management.change-password": { kind: "signedIn", address: "/management/change-password" },
  "management.betingelser": { kind: "signedIn", address: "/management/betingelser" },
  "management.konto": { kind: "api", address: "/management/konto" },
  // Call by call in api.test.ts.
  "api.$": { kind: "staffHost", address: "/api/Account" },
  "dev.kit": { kind: "development", address: "/dev/kit" },
  "dev.mailbox": { kind: "development", address: "/dev/mailbox" },
};

let portal: { origin: string; stop(): Promise<void> };
let dataDir: string;
const cookies = new Map<Who, string>();
const referrals = { own: { id: 0, file: 0 }, other: { id: 0, file: 0 } };

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-access-"));
  makeDemoData(dataDir, 5);
  portal = await startServer({
    env: { NODE_ENV: "development", DATA_DIR: dataDir, ADMIN_ORIGIN: "http://klinik.test", PUBLIC_ORIGIN: "http://www.henvis.test" },
  });
  for (const who of people) if (who !== "nobody") cookies.set(who, await signIn(portal.origin, who));
  referrals.own = await sendReferral("tandlaege", "610190-1001");
  referrals.other = await sendReferral("tandlaege2", "620191-1002");
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

function ask(who: Who, address: string, { door = "local" as Door, method = "GET", body, headers = {} }: { door?: Door; method?: string; body?: string; headers?: Record<string, string> } = {}) {
  const host = doors[door] ?? new URL(portal.origin).host;
  const cookie = cookies.get(who);
  return new Promise<Answer>((resolve, reject) => {
    const sent = http.request(portal.origin + address, { method, agent: false, headers: { host, ...(cookie ? { cookie } : {}), ...headers } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function post(who: Who, address: string, fields: Record<string, string | number>, door: Door = "local") {
  const body = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
  return ask(who, address, { door, method: "POST", body, headers });
}

const wizard = "/management/henvisning-tandlaeger?form=a-form-of-its-own";

async function sendReferral(who: Who, cpr: string): Promise<{ id: number; file: number }> {
  const form = { formKey: cpr, cpr6: cpr.slice(0, 6), cpr4: cpr.slice(7), firstName: "Åse", lastName: "Kjær", address: "Åvej 1", zip: "8000", city: "Aarhus", desiredTreatment: "Fjernelse af 38." };
  const saved = await post(who, wizard, { intent: "savePatient", ...form });
  const id = Number(/kladde=(\d+)/.exec(saved.location ?? "")?.[1]);
  await post(who, wizard, { intent: "saveReferrer", referralId: id });
  await upload(who, id);
  await post(who, wizard, { intent: "sendReferral", referralId: id, formKey: "send", radiographsSendType: 0 });
  const page = await ask(who, `/management/overview/${id}`);
  return { id, file: Number(/files\/(\d+)/.exec(page.text)?.[1]) };
}

const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

async function upload(who: Who, id: number) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ intent: "addRadiographs", formId: "step3", referralId: String(id), formKey: `up-${id}`, radiographType: "0" })) form.set(name, value);
  form.set("radiographs", new Blob([pixel], { type: "image/png" }), "48.png");
  const answer = await fetch(`${portal.origin}${wizard}`, { method: "POST", body: form, redirect: "manual", headers: { cookie: cookies.get(who) ?? "", origin: portal.origin } });
  expect(answer.status).toBe(303);
}

/** What a route must answer, from the rules alone. */
function expected(kind: Kind, who: Who, door: Door, isSeen: boolean): number {
  if (kind === "open") return who !== "nobody" ? 200 : 200;
  if (kind === "development") return door === "local" ? 200 : 404;
  if (kind === "staffHost" && door === "public") return 404;
  if (who === "nobody") return kind === "api" || kind === "staffHost" ? 401 : 302;
  const isStaff = staff.includes(who);
  if (kind !== "redirect" && ((door === "staff" && !isStaff) || (door === "public" && isStaff))) return 403;
  if (kind === "redirect") return 302;
  if ((kind === "staff" || kind === "sealed") && !isStaff) return 403;
  if (kind === "missing" || kind === "sealed" || ((kind === "referral" || kind === "staffInReferral") && !isSeen)) return 404;
  return kind === "staffInReferral" && !isStaff ? 403 : 200;
}

test("every route of the portal stands in the table", () => {
  expect(readdirSync("app/routes").sort()).toEqual(Object.keys(routes).sort());
});

describe.each(Object.entries(routes))("%s", (_route, { kind, address }) => {
  const which = address.includes("{id}") ? (["own", "other"] as const) : (["own"] as const);
  for (const door of Object.keys(doors) as Door[]) {
    test(`through the ${door} door`, async () => {
      for (const referral of which) {
        for (const who of people) {
          const { id, file } = referrals[referral];
          const answer = await ask(who, address.replace("{id}", String(id)).replace("{own}", String(referrals.own.id)).replace("{file}", String(file)), { door });
          const wanted = address === "/login" && who !== "nobody" ? 302 : wantedOf(kind, address, who, door, sees[referral].includes(who));
          expect(answer.status, `${who}, ${referral}`).toBe(wanted);
          if (answer.status === 403) expect(answer.text).toContain("Access Denied by Role");
          if (answer.status === 302 && who === "nobody" && kind !== "redirect") expect(answer.location).toContain("/login?to=");
        }
      }
    });
  }
});

/** The bare management address checks the door before it leads on; `/` does not know anybody. */
function wantedOf(kind: Kind, address: string, who: Who, door: Door, isSeen: boolean): number {
  if (address === "/management" && who !== "nobody") return expected("signedIn", who, door, true) === 403 ? 403 : 302;
  return expected(kind, who, door, isSeen);
}

describe("forms", () => {
  const other = () => referrals.other;
  const openOther = "/management/overview/{other}";
  const forms: [string, string, () => Record<string, string | number>, Partial<Record<Who, number>>][] = [
    ["setStatus", "/management/overview", () => ({ referralId: other().id, status: 2, seenVersion: 99 }), { nobody: 307, admin: 409, kirurg: 409, sekretaer: 403, tandlaegesekretaer: 403, tandlaege: 403, tandlaege2: 403 }],
    ["setStatuses", "/management/overview", () => ({ status: 2, pick: `${other().id}:99` }), { nobody: 307, admin: 303, sekretaer: 403, tandlaege2: 403 }],
    ["setAllStatuses", "/management/overview", () => ({ status: 2, count: 999_999 }), { nobody: 307, admin: 409, sekretaer: 403, tandlaege2: 403 }],
    ["undoStatuses", "/management/overview", () => ({ massChangeId: 999_999 }), { nobody: 307, admin: 404, sekretaer: 403, tandlaege2: 403 }],
    ["moreFilters", "/management/overview", () => ({}), { nobody: 307, admin: 200, sekretaer: 200, tandlaege: 200 }],
    ["searchReferrers", "/management/overview", () => ({ search: "a" }), { nobody: 307, admin: 200, sekretaer: 200, tandlaege: 403 }],
    ["closeCallUpStats", "/management/overview", () => ({}), { nobody: 307, admin: 303, sekretaer: 403, tandlaege2: 403 }],
    ["startImport", "/management/aftaletider/999999", () => ({ fileId: 999_999 }), { nobody: 307, admin: 404, kirurg: 404, sekretaer: 403, tandlaege: 403 }],
    ["editPatient", "/management/overview/{other}", () => ({ referralId: other().id, seenVersion: 99, cpr6: "610190", cpr4: "1009", firstName: "A", lastName: "B", zip: "8000", city: "C" }), { nobody: 307, admin: 409, kirurg: 409, sekretaer: 403, tandlaegesekretaer: 403, tandlaege: 403, tandlaege2: 403 }],
    ["editCase", "/management/overview/{other}", () => ({ referralId: other().id, seenVersion: 99, visitType: "simple" }), { nobody: 307, admin: 409, kirurg: 409, sekretaer: 403, tandlaege: 403, tandlaege2: 403 }],
    ["editPlan", "/management/overview/{other}", () => ({ referralId: other().id, seenVersion: 99 }), { nobody: 307, admin: 409, kirurg: 409, sekretaer: 403, tandlaege: 403, tandlaege2: 403 }],
    ["changeReferrer", "/management/overview/{other}", () => ({ referralId: other().id, seenVersion: 99, referrerId: 999_999 }), { nobody: 307, admin: 400, kirurg: 400, sekretaer: 403, tandlaege: 403, tandlaege2: 403 }],
    ["sendStatus", "/management/overview/{other}", () => ({ referralId: 999_999 }), { nobody: 307, admin: 404, sekretaer: 403, tandlaege: 403, tandlaege2: 403 }],
    ["removeRadiograph", wizard, () => ({ referralId: other().id, fileId: 1_000_000 }), { nobody: 307, admin: 404, sekretaer: 404, tandlaegesekretaer: 404, tandlaege: 404, tandlaege2: 404 }],
    ["setRadiographType", wizard, () => ({ referralId: other().id, fileId: other().file, radiographType: 2 }), { nobody: 307, sekretaer: 404, tandlaegesekretaer: 404, tandlaege: 404, tandlaege2: 404 }],
    ["addRadiographs", wizard, () => ({ referralId: other().id, formKey: "x", radiographType: 0 }), { nobody: 307, sekretaer: 404, tandlaegesekretaer: 404, tandlaege: 404, tandlaege2: 400 }],
    ["addRadiographs", `${openOther}/roentgenbilleder`, () => ({ referralId: other().id, formKey: "x", radiographType: 0 }), { nobody: 307, admin: 400, sekretaer: 404, tandlaegesekretaer: 404, tandlaege: 404, tandlaege2: 400 }],
    // A referral that has been sent: the type of an image is staff's, and so is deleting one.
    ["setRadiographType", `${openOther}/roentgenbilleder`, () => ({ referralId: other().id, fileId: other().file, radiographType: 2 }), { nobody: 307, admin: 303, sekretaer: 404, tandlaege: 404, tandlaege2: 404 }],
    ["deleteRadiograph", `${openOther}/images/1/slet`, () => ({ referralId: other().id, fileId: other().file, seenVersion: 99 }), { nobody: 307, admin: 409, kirurg: 409, sekretaer: 403, tandlaegesekretaer: 403, tandlaege: 403, tandlaege2: 403 }],
    ["restoreRadiograph", openOther, () => ({ referralId: other().id, fileId: 999_999 }), { nobody: 307, admin: 404, sekretaer: 403, tandlaege2: 403 }],
    ["retryRadiographExport", openOther, () => ({ referralId: other().id }), { nobody: 307, admin: 303, kirurg: 303, sekretaer: 403, tandlaegesekretaer: 403, tandlaege2: 403 }],
    ["setUploadType", wizard, () => ({ uploadId: "a".repeat(32), radiographType: 2 }), { nobody: 307, admin: 404, sekretaer: 404, tandlaege: 404 }],
    ["cancelUpload", wizard, () => ({ uploadId: "a".repeat(32) }), { nobody: 307, admin: 404, sekretaer: 404, tandlaege: 404 }],
    // His own has been sent: he is led to it.
    ["saveReferrer", wizard, () => ({ referralId: other().id, referrerId: 1 }), { nobody: 307, sekretaer: 404, tandlaegesekretaer: 404, tandlaege: 404, tandlaege2: 303 }],
    ["sendReferral", wizard, () => ({ referralId: other().id, formKey: "x", radiographsSendType: 3 }), { nobody: 307, sekretaer: 404, tandlaegesekretaer: 404, tandlaege: 404, tandlaege2: 303 }],
    ["filterDrafts", "/management/draft-visits", () => ({}), { nobody: 307, admin: 303, sekretaer: 303, tandlaege: 303, tandlaege2: 303 }],
    ["deleteDraft", "/management/draft-visits", () => ({ referralId: other().id }), { nobody: 307, admin: 404, sekretaer: 404, tandlaege: 404, tandlaege2: 404 }],
    ["restoreDraft", "/management/draft-visits", () => ({ referralId: other().id }), { nobody: 307, admin: 404, sekretaer: 404, tandlaege: 404, tandlaege2: 404 }],
    ["keepTyped", wizard, () => ({ referralId: other().id, formKey: "x", comment: "y" }), { nobody: 307, sekretaer: 404, tandlaegesekretaer: 404, tandlaege: 404, tandlaege2: 404 }],
    ["dropTyped", wizard, () => ({ formKey: "x" }), { nobody: 307, admin: 303, sekretaer: 303, tandlaege: 303 }],
    ["checkCpr", wizard, () => ({ cpr6: "251248", cpr4: "9996" }), { nobody: 307, admin: 200, sekretaer: 200, tandlaege: 200 }],
    ["searchReferrers", wizard, () => ({ search: "a" }), { nobody: 307, admin: 200, sekretaer: 200, tandlaegesekretaer: 200, tandlaege: 403 }],
    ["writeMessage", openOther, () => ({ referralId: other().id, formKey: "x", text: "Hej" }), { nobody: 307, admin: 303, sekretaer: 404, tandlaegesekretaer: 404, tandlaege: 404, tandlaege2: 303 }],
    ["editMessage", openOther, () => ({ referralId: other().id, formKey: "x", messageId: 999_999, seenVersion: 1, text: "Hej" }), { nobody: 307, admin: 404, sekretaer: 404, tandlaege: 404, tandlaege2: 404 }],
    ["markMessages", openOther, () => ({ referralId: other().id, read: "no" }), { nobody: 307, admin: 303, sekretaer: 404, tandlaegesekretaer: 404, tandlaege: 404, tandlaege2: 303 }],
    ["setSurgeon", openOther, () => ({ referralId: other().id, seenVersion: 99 }), { nobody: 307, admin: 303, kirurg: 303, sekretaer: 403, tandlaegesekretaer: 403, tandlaege2: 403 }],
    ["setStaffAddress", openOther, () => ({ address: "ikke en adresse" }), { nobody: 307, admin: 400, kirurg: 400, sekretaer: 403, tandlaegesekretaer: 403, tandlaege2: 403 }],
    ["exportByDates", "/management/overview/eksport", () => ({ dateFrom: "01.01.2020", dateTo: "01.01.2026" }), { nobody: 307, admin: 400, kirurg: 400, sekretaer: 403, tandlaegesekretaer: 403, tandlaege: 403 }],
    ["exportFiltered", "/management/overview/eksport", () => ({ f: "ukendt" }), { nobody: 307, admin: 400, sekretaer: 403, tandlaege: 403 }],
    ["exportPicked", "/management/overview/eksport", () => ({ pick: `${other().id}:1` }), { nobody: 307, admin: 303, kirurg: 303, sekretaer: 403, tandlaegesekretaer: 403, tandlaege2: 403 }],
    ["signOut", "/login", () => ({}), { nobody: 200 }],
    ["noSuchIntent", "/management/overview", () => ({}), { admin: 404, tandlaege: 404 }],
  ];
  test.each(forms)("%s", async (intent, address, fields, answers) => {
    for (const [who, status] of Object.entries(answers)) {
      const answer = await post(who as Who, address.replace("{other}", String(other().id)), { intent, ...fields() });
      expect(answer.status, who).toBe(status);
    }
  });

  test("the wizard's visitId of a referral that is not there to somebody is 404 at once", async () => {
    for (const who of ["sekretaer", "tandlaegesekretaer", "tandlaege"] as const) expect((await ask(who, `/management/henvisning-tandlaeger?visitId=${other().id}`)).status, who).toBe(404);
    expect((await ask("admin", `/management/henvisning-tandlaeger?visitId=999999`)).status).toBe(404);
    for (const who of ["admin", "tandlaege2"] as const) expect((await ask(who, `/management/henvisning-tandlaeger?visitId=${other().id}`)).status, who).toBe(302);
  });

  test("a form that another site sends is refused, and so is one that does not say where it comes from", async () => {
    const body = new URLSearchParams({ intent: "setStatus", referralId: String(other().id), status: "7", seenVersion: "1" }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const senders: Record<string, string>[] = [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }, { origin: "https://ond.example" }, { origin: "null" }, {}];
    for (const headers of senders) {
      const answer = await ask("admin", "/management/overview", { method: "POST", body, headers: { ...type, ...headers } });
      expect(answer.status, JSON.stringify(headers)).toBe(403);
    }
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

  test("no X-Forwarded header of an unnamed proxy is believed", async () => {
    const answer = await ask("nobody", "/login", { headers: { "x-forwarded-host": "ukendt.test", "x-forwarded-for": "10.0.0.1" } });
    expect(answer.status).toBe(200);
  });

  test("health answers on every host and says nothing more", async () => {
    for (const host of Object.values(doors).filter((name) => name !== null)) {
      const answer = await ask("nobody", "/healthz", { headers: { host } });
      expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
    }
    expect((await ask("nobody", "/readyz")).text).toBe('{"database":"ok","files":"ok"}');
  });

  test("an upload by nobody is refused before its body has been read", async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const sent = http.request(`${portal.origin}${wizard}`, {
        method: "POST",
        agent: false,
        headers: { "content-type": "multipart/form-data; boundary=x", "content-length": "1000000000", "sec-fetch-site": "same-origin" },
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
  test("leads from any page to the referral, by way of sign-in, and keeps to the reader's scope", async () => {
    const link = `?vid=${referrals.own.id}&mid=5&num=1&trmPdf=true`;
    for (const page of ["/", "/login", "/management/overview", "/pdf/visit"]) {
      expect((await ask("nobody", `${page}${link}`)).location, page).toBe(`/management/overview/${referrals.own.id}?brev=1&som=pdf&mid=5`);
    }
    const asked = `/management/overview/${referrals.own.id}?brev=1&som=zip`;
    expect((await ask("nobody", asked)).location).toBe(`/login?to=${encodeURIComponent(asked)}`);
    expect((await ask("tandlaege2", asked)).status).toBe(404);
    const page = await ask("tandlaege", asked);
    expect(page.text).toContain(`content="0;url=/management/overview/${referrals.own.id}/breve/1?som=zip"`);
    expect((await ask("tandlaege", "/management/overview?vid=1&num=1")).status).toBe(200);
  });
});
