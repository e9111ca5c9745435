import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { logTypes } from "~/features/logs/log-types";
import { apiCalls } from "~/http/api/api-calls.server";
import { pathNames } from "~/http/api/api-route.server";
import { makeDemoData, signIn, startServer } from "../../scripts/test-server.mjs";

/** Who asks. The two secretaries and the two dentists belong to different clinics. */
const people = ["nobody", "admin", "kirurg", "sekretaer", "tandlaegesekretaer", "tandlaege", "tandlaege2"] as const;
type Who = (typeof people)[number];
const staff: Who[] = ["admin", "kirurg"];
const secretaries: Who[] = ["sekretaer", "tandlaegesekretaer"];

/** Who sees a referral that `tandlaege` (clinic A) sent, and one that `tandlaege2` (clinic B) sent. */
const sees: Record<"own" | "other", Who[]> = {
  own: [...staff, "sekretaer", "tandlaege"],
  other: [...staff, "tandlaege2"],
};

let portal: { origin: string; stop(): Promise<void> };
let dataDir: string;
const cookies = new Map<Who, string>();
const visits: Record<
  "own" | "other",
  { id: number; radiograph: number; journal: number; message: number; attachment: number }
> = {
  own: { id: 0, radiograph: 0, journal: 0, message: 0, attachment: 0 },
  other: { id: 0, radiograph: 0, journal: 0, message: 0, attachment: 0 },
};

interface Sent {
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
}

async function api(who: Who, call: string, { json, form, headers = {} }: Sent = {}) {
  const [method, address] = call.split(" ") as [string, string];
  const answer = await fetch(`${portal.origin}/api${address}`, {
    method,
    redirect: "manual",
    headers: {
      cookie: cookies.get(who) ?? "",
      ...(method === "GET" ? {} : { origin: portal.origin }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(form
      ? { body: form }
      : json === undefined
        ? {}
        : { body: typeof json === "string" ? json : JSON.stringify(json) }),
  });
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
  const bytes = Buffer.from(await answer.arrayBuffer());
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    body: isJson ? (JSON.parse(bytes.toString()) as any) : null,
  };
}

function formOf(fields: Record<string, string | number | Blob[]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value))
      for (const [index, file] of value.entries()) form.append(name, file, (file as File).name ?? `${index}.png`);
    else form.append(name, String(value));
  }
  return form;
}

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** A picture whose bytes differ from every other. */
const picture = (name: string) => new File([pixel, name], name, { type: "image/png" });
const journal = (name: string) =>
  new File([`<?xml version="1.0"?><journal>${name}</journal>`], name, { type: "text/xml" });

const patient = (cpr: string) => ({
  Cpr: cpr,
  FirstName: "Åse",
  LastName: "Kjær",
  Address: "Åvej 1",
  Zip: "8000",
  City: "Aarhus",
  DesiredTreatment: "Fjernelse af 38.",
});

/** The whole wizard by API. */
async function sendVisit(who: Who, cpr: string) {
  const begun = await api(who, "POST /Visits/patientinfo", {
    form: formOf({ ...patient(cpr), Journals: [journal("journal.xml")] }),
  });
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  const id = begun.body.visitId as number;
  expect((await api(who, `POST /Visits/${id}/doctorinfo`, { json: { sendNotificationToDoctor: true } })).status).toBe(
    204,
  );
  const images = formOf({
    VisitId: id,
    RadiographsSendType: 0,
    RadiographFileTypes: "[2,1]",
    Radiographs: [picture("panorama.png"), picture("foto.png")],
  });
  expect((await api(who, `POST /Visits/${id}/radiographs`, { form: images })).status).toBe(204);
  expect(
    (
      await api(who, `POST /Visits/${id}/messages`, {
        form: formOf({ Text: "Hej", attachedFiles: [journal("bilag.xml")] }),
      })
    ).status,
  ).toBe(204);
  const visit = (await api(who, `GET /Visits/${id}`)).body;
  const [message] = (await api(who, `GET /Visits/${id}/messages`)).body;
  return {
    id,
    radiograph: visit.radiographFiles[0].radiographId,
    journal: visit.journalFiles[0].journalId,
    message: message.id,
    attachment: message.attachments[0].id,
  };
}

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-api-"));
  makeDemoData(dataDir, 5);
  portal = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir } });
  for (const who of people) if (who !== "nobody") cookies.set(who, await signIn(portal.origin, who));
  visits.own = await sendVisit("tandlaege", "610190-1001");
  visits.other = await sendVisit("tandlaege2", "620191-1002");
}, 120_000);

afterAll(async () => {
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** How a call is tried, and who may: of those, `status` (200 unless told) where the referral is in scope, 404 elsewhere. */
interface Trial extends Omit<Sent, "form"> {
  may: "open" | "everybody" | "staff" | "secretaries" | "choosers";
  address?: string;
  status?: number;
  /** Not of one referral. */
  anywhere?: true;
  form?: () => FormData;
}

const no = 999_999;
const aClinic = { name: "", address: "B", zip: "1", city: "C", email: "a@eksempel.dk", phone: "1" };
const aUser = { firstName: "", lastName: "B", userName: "a", email: "a@eksempel.dk", status: 1 };
const trials: Record<string, Trial> = {
  "GET /radiographs/token/{token}": { may: "open", anywhere: true, status: 403 },
  "GET /radiographs/{id}/download/token/{token}": {
    may: "open",
    anywhere: true,
    address: "GET /radiographs/1/download/token/nobodys",
    status: 403,
  },
  "GET /radiographs/download/token/{token}": { may: "open", anywhere: true, status: 403 },
  "GET /termination-letter-zip/token/{token}": { may: "open", anywhere: true, status: 403 },
  "POST /Visits/{id}/radiographs/send-sms-with-link-to-patient": { may: "staff", status: 400 },
  "GET /Parking/active-bookings": { may: "staff", anywhere: true },
  "POST /Parking/create-booking-for-new-patient": {
    may: "open",
    anywhere: true,
    json: { licensePlate: "QX12345", mobilePhone: "12-34", bookingDateTime: "2020-01-01" },
    status: 400,
  },
  "POST /Parking/get-car-info": { may: "open", anywhere: true, json: { licensePlate: "qx 12-345" } },
  "GET /Account": { may: "everybody", anywhere: true },
  "PUT /Account": {
    may: "everybody",
    anywhere: true,
    json: { firstName: "", lastName: "", userName: "", email: "" },
    status: 400,
  },
  "GET /Account/Access": { may: "everybody", anywhere: true, status: 204 },
  "PUT /Account/password": {
    may: "everybody",
    anywhere: true,
    json: { currentPassword: "x", newPassword: "kort" },
    status: 400,
  },
  "POST /Account/password/forgot": { may: "open", anywhere: true, json: {}, status: 400 },
  "POST /Account/password/reset": { may: "open", anywhere: true, json: {}, status: 400 },
  "POST /Account/SignIn": { may: "open", anywhere: true, json: {}, status: 400 },
  "POST /Account/SignOut": {
    may: "open",
    anywhere: true,
    address: "POST /Account/SignOut",
    headers: { cookie: "" },
    status: 204,
  },
  "GET /Umbraco/conditions": { may: "everybody", anywhere: true },
  "GET /Umbraco/management": { may: "open", anywhere: true },
  "GET /Umbraco/info-popup": { may: "everybody", anywhere: true },
  "POST /Doctors/conditions": { may: "everybody", anywhere: true, json: { accepted: false }, status: 400 },
  "GET /Doctors": { may: "choosers", anywhere: true },
  "GET /Surgeons": { may: "staff", anywhere: true },
  "GET /TreatmentTypes": { may: "everybody", anywhere: true },
  "POST /TreatmentTypes": { may: "staff", anywhere: true, json: { name: " " }, status: 400 },
  "PUT /TreatmentTypes": { may: "staff", anywhere: true, json: { id: 999_999_999, name: "A" }, status: 404 },
  "DELETE /TreatmentTypes": {
    may: "staff",
    anywhere: true,
    address: "DELETE /TreatmentTypes?id=999999999",
    status: 404,
  },
  "GET /Clinics": { may: "choosers", anywhere: true },
  "POST /Clinics": { may: "staff", anywhere: true, json: aClinic, status: 400 },
  "PUT /Clinics": { may: "choosers", anywhere: true, json: { ...aClinic, clinicId: no }, status: 400 },
  "GET /Clinics/active-only": { may: "everybody", anywhere: true },
  "GET /Clinics/active-only/{id}": {
    may: "everybody",
    anywhere: true,
    address: `GET /Clinics/active-only/${no}`,
    status: 404,
  },
  "GET /Users": { may: "choosers", anywhere: true },
  "GET /Users/{id}": { may: "choosers", anywhere: true, address: `GET /Users/${no}`, status: 404 },
  "POST /Users": { may: "choosers", anywhere: true, json: aUser, status: 400 },
  "POST /Users/admin": { may: "staff", anywhere: true, json: aUser, status: 400 },
  "PUT /Users": { may: "choosers", anywhere: true, json: { ...aUser, userId: no, isSecretary: false }, status: 400 },
  "PUT /Users/admin": {
    may: "staff",
    anywhere: true,
    json: { ...aUser, userId: no, isSurgeon: false },
    status: 400,
  },
  "POST /Users/merge": {
    may: "staff",
    anywhere: true,
    json: {
      firstName: "A",
      lastName: "B",
      email: "a@eksempel.dk",
      status: 1,
      isSecretary: false,
      sendEndingLettersViaEDI: false,
      dentistIdToKeep: no,
      dentistIdsToMerge: [no - 1],
    },
    status: 404,
  },
  "POST /Clinics/merge": {
    may: "staff",
    anywhere: true,
    json: { ...aClinic, name: "A", status: 1, clinicIdsToMerge: [no, no - 1] },
    status: 404,
  },
  "POST /Users/quick-profile": {
    may: "secretaries",
    anywhere: true,
    json: { firstName: "", lastName: "" },
    status: 400,
  },
  "GET /Visits/{id}": { may: "everybody" },
  "PATCH /Visits/{id}": {
    may: "staff",
    json: [{ op: "replace", path: "/status", value: 2 }],
    headers: { "if-match": '"99"' },
    status: 409,
  },
  "GET /Visits": { may: "everybody", anywhere: true },
  "PUT /Visits": { may: "staff", anywhere: true, json: { visitId: no }, status: 404 },
  "PUT /Visits/status": {
    may: "staff",
    anywhere: true,
    form: () => formOf({ "VisitIds[]": no, Status: 77 }),
    status: 400,
  },
  "GET /Visits/callupstats": { may: "staff", anywhere: true },
  "GET /Visits/{id}/visitlog": { may: "staff" },
  "POST /Visits/{id}/notification/surgeon": {
    may: "staff",
    address: `POST /Visits/${no}/notification/surgeon`,
    status: 404,
  },
  "GET /Pdf/Visit/{id}": { may: "everybody" },
  "GET /Visits/{id}/download/appropriation": { may: "everybody", status: 404 },
  "GET /Visits/{id}/download/journals/{jid}": { may: "everybody" },
  "GET /Visits/{id}/appointmentinfo": { may: "everybody" },
  "GET /Incall/logs/{id}": { may: "everybody" },
  "GET /Invoices/{id}": { may: "everybody" },
  "POST /Visits/patientinfo": { may: "everybody", anywhere: true, form: () => formOf({ Cpr: "hej" }), status: 400 },
  "PUT /Visits/patientinfo": {
    may: "everybody",
    anywhere: true,
    form: () => formOf({ ...patient("610190-1001"), VisitId: no }),
    status: 404,
  },
  "GET /Visits/patientinfo/cpr/{cpr}": {
    may: "everybody",
    anywhere: true,
    address: "GET /Visits/patientinfo/cpr/010190-1009",
    status: 404,
  },
  "GET /Visits/patientinfo/cpr/check/{cpr}": {
    may: "everybody",
    anywhere: true,
    address: "GET /Visits/patientinfo/cpr/check/610190-1001",
  },
  "GET /Visits/{id}/patientinfo": { may: "everybody" },
  "GET /Visits/{id}/doctorinfo": { may: "staff" },
  "POST /Visits/{id}/doctorinfo": {
    may: "everybody",
    address: `POST /Visits/${no}/doctorinfo`,
    json: { doctorId: 1 },
    status: 404,
  },
  "GET /Cpr/address": { may: "everybody", anywhere: true, address: "GET /Cpr/address?Cpr=hej", status: 400 },
  "GET /Visits/{id}/messages": { may: "everybody" },
  "POST /Visits/{id}/messages": { may: "everybody", form: () => formOf({}), status: 400 },
  "PUT /Visits/{id}/messages/{mid}": {
    may: "everybody",
    address: "PUT /Visits/{id}/messages/999999",
    form: () => formOf({ Text: "x" }),
    status: 404,
  },
  "GET /Visits/{id}/messages/attachment/{aid}": { may: "everybody" },
  "POST /Visits/{id}/messages/read": { may: "everybody", json: { read: true }, status: 204 },
  "GET /Visits/{id}/download/radiographs": { may: "everybody" },
  "GET /Visits/{id}/download/{rid}/radiograph": { may: "everybody" },
  "POST /Visits/{id}/radiographs": {
    may: "everybody",
    address: `POST /Visits/${no}/radiographs`,
    form: () => formOf({ RadiographsSendType: 3 }),
    status: 404,
  },
  "POST /Visits/{id}/upload/radiographs": { may: "everybody", form: () => formOf({}), status: 400 },
  "DELETE /Visits/{id}/radiographs/{rid}": {
    may: "everybody",
    address: `DELETE /Visits/{id}/radiographs/${no}`,
    status: 404,
  },
  "GET /Visits/download/csv/bydates": { may: "staff", anywhere: true, status: 400 },
  "POST /Visits/download/csv/byids": { may: "staff", anywhere: true, json: { ids: [no] }, status: 204 },
  "GET /Visits/csv/settings": { may: "staff", anywhere: true },
  "POST /Admin/run-import-edi-visits": { may: "staff", anywhere: true },
  "POST /Appointments/csv/upload": { may: "staff", anywhere: true, form: () => formOf({}), status: 400 },
  "GET /Appointments/csv/track-process": {
    may: "staff",
    anywhere: true,
    address: `GET /Appointments/csv/track-process?fileTrackId=${no}`,
    status: 404,
  },
  "GET /Drafts": { may: "everybody", anywhere: true },
  "DELETE /Drafts/{id}": { may: "everybody", status: 404 },
  "GET /EmailLog": { may: "staff", anywhere: true },
  "GET /SmsLog": { may: "staff", anywhere: true },
  "GET /EBoksLogs": { may: "staff", anywhere: true },
  "GET /Incall": { may: "staff", anywhere: true },
  "PUT /Incall": { may: "staff", anywhere: true, json: { visitId: no, recall: true, incallType: 1 }, status: 404 },
  "POST /Incall/sendCallUpPhone": { may: "staff", anywhere: true, json: { visitId: no }, status: 404 },
  "POST /Visits/{id}/callups/{n}": { may: "staff", status: 400 },
  "POST /Visits/{id}/appointmentinfo/{n}": { may: "staff", status: 400 },
  "GET /Incall/download/pdf/{id}": {
    may: "staff",
    anywhere: true,
    address: `GET /Incall/download/pdf/${no}`,
    status: 404,
  },
  "GET /Incall/archive": { may: "staff", anywhere: true },
  "GET /Incall/archive/{id}": { may: "staff", anywhere: true, address: `GET /Incall/archive/${no}`, status: 404 },
  "GET /SmsAppointments": { may: "staff", anywhere: true },
  "POST /SmsAppointments/visitid/{id}/send-sms-with-cancellation": { may: "staff", status: 400 },
  "POST /SmsAppointments/visitid/{id}/send-sms-without-cancellation": { may: "staff", status: 400 },
  "GET /Statistics/doctors": { may: "staff", anywhere: true },
  "GET /Statistics/operations": { may: "staff", anywhere: true },
  "GET /Statistics/doctors/csv": { may: "staff", anywhere: true },
  "GET /Statistics/operations/csv": { may: "staff", anywhere: true },
  "GET /Appointments/csv/logs": { may: "staff", anywhere: true },
  "GET /Appointments/logs": { may: "staff", anywhere: true },
  "GET /TerminationLetters": { may: "everybody", anywhere: true },
  "GET /TerminationLetters/{id}/diagnosis/{n}": { may: "everybody", status: 404 },
  "GET /TerminationLetters/{id}/rentgen/{n}": { may: "everybody", status: 404 },
  "POST /TerminationLetters/{id}/diagnose/{n}": { may: "staff", form: () => formOf({}), status: 404 },
  "POST /TerminationLetters/{id}/rentgen/{n}": { may: "staff", form: () => formOf({}), status: 404 },
  "POST /TerminationLetters/{id}/resendemail/{n}": { may: "staff", status: 404 },
  "DELETE /TerminationLetters/{id}/number/{n}": { may: "staff", status: 404 },
  "PUT /TerminationLetters/edi/{id}/number/{n}": {
    may: "staff",
    json: { sendEdiTerminationAsEmail: true },
    status: 404,
  },
  "POST /TerminationLetters/{id}/rentgen/{n}/send-message-to-patient": {
    may: "staff",
    json: { MessageType: 1 },
    status: 404,
  },
  "GET /openapi.json": { may: "everybody", anywhere: true },
};

const holders: Record<Trial["may"], readonly Who[]> = {
  open: people,
  everybody: people.slice(1),
  staff,
  secretaries,
  choosers: [...staff, ...secretaries],
};
const nameOf = ({ method, path: pattern }: (typeof apiCalls)[number]) => `${method} ${pattern}`;

const filled = (address: string, { id, journal: jid, radiograph, message, attachment }: (typeof visits)["own"]) =>
  address
    .replace("{id}", String(id))
    .replace("{jid}", String(jid))
    .replace("{rid}", String(radiograph))
    .replace("{mid}", String(message))
    .replace("{aid}", String(attachment))
    .replace("{n}", "9");

test("tries every call of the table", () => {
  expect(apiCalls.map(nameOf).sort()).toEqual(Object.keys(trials).sort());
});

describe.each(apiCalls.map((route) => [nameOf(route), route] as const))("%s", (name, route) => {
  const { may, address = name, status = 200, anywhere, json, form, headers } = trials[name] ?? { may: "open" };
  test.each(["own", "other"] as const)("of %s clinic", async (whose) => {
    for (const who of people) {
      const answer = await api(who, filled(address, visits[whose]), {
        json,
        ...(form ? { form: form() } : {}),
        ...(headers ? { headers } : {}),
      });
      const wanted =
        who === "nobody" && may !== "open"
          ? 401
          : !holders[may].includes(who)
            ? 403
            : anywhere || sees[whose].includes(who)
              ? status
              : 404;
      expect(answer.status, `${who}: ${answer.body?.message ?? ""}`).toBe(wanted);
      if (wanted >= 400) expect(answer.body, who).toEqual({ message: expect.any(String), errors: expect.any(Object) });
      if (wanted === 200 && route.answer.schema) route.answer.schema.parse(answer.body);
      expect(answer.headers.get("cache-control")).toContain("no-store");
    }
  });
});

describe("refusals are JSON", () => {
  test.each([
    ["GET /Findes/ikke", 404],
    ["GET /", 404],
    ["GET /Visits/abc", 404],
    ["GET /Visits/patientinfo/cpr/%E0%A4%A", 400],
    ["DELETE /Visits/5", 405],
    ["POST /Visits", 405],
    ["GET /Visits?PageSize=100000", 400],
    ["GET /Visits?Cpr=12", 400],
    ["GET /Visits?DateFrom=i%20g%C3%A5r", 400],
  ])("%s", async (call, status) => {
    const answer = await api("admin", call);
    expect([answer.status, Object.keys(answer.body)]).toEqual([status, ["message", "errors"]]);
  });

  test("a wrong method answers the allowed ones", async () => {
    expect((await api("admin", "DELETE /Visits/5")).headers.get("allow")).toBe("GET, PATCH");
  });

  test("errors use the API's names", async () => {
    expect((await api("admin", "GET /Visits?Cpr=12")).body.errors).toHaveProperty("Cpr");
    expect(
      (await api("tandlaege", "POST /Visits/patientinfo", { form: formOf({ Cpr: "hej", Email: "nej" }) })).body.errors,
    ).toMatchObject({ Cpr: [expect.any(String)], FirstName: [expect.any(String)], Email: [expect.any(String)] });
  });

  test("an address and a body that name different referrals, files without a type, unknown numbers in a mass change", async () => {
    const { id } = visits.own;
    const other = await api("tandlaege", `POST /Visits/${id}/messages/read`, {
      json: { visitId: visits.other.id, read: true },
    });
    expect([other.status, other.body.errors]).toEqual([
      400,
      { visitId: ["Nummeret er ikke det samme som i adressen."] },
    ]);
    for (const types of ["", "[1]"]) {
      const form = formOf({
        RadiographFileTypes: types,
        Radiographs: [picture(`a${types}.png`), picture(`b${types}.png`)],
      });
      const untyped = await api("admin", `POST /Visits/${id}/upload/radiographs`, { form });
      expect([untyped.status, Object.keys(untyped.body.errors)]).toEqual([400, ["RadiographFileTypes"]]);
    }
    const before = (await api("admin", `GET /Visits/${id}`)).body;
    expect(before.radiographFiles).toHaveLength(2);
    const mass = await api("admin", "PUT /Visits/status", { form: formOf({ VisitIds: `[${id},${no}]`, Status: 2 }) });
    expect([mass.status, mass.body.errors]).toEqual([400, { VisitIds: [`Intet er ændret: nr. ${no} findes ikke.`] }]);
    expect((await api("admin", `GET /Visits/${id}`)).body.status).toBe(before.status);
  });

  test("a switch without a value is on", async () => {
    expect((await api("tandlaege", `GET /Pdf/Visit/${visits.own.id}?regenerate`)).status).toBe(403);
    expect((await api("tandlaege", `GET /Pdf/Visit/${visits.own.id}`)).status).toBe(200);
  });

  test("error texts are plain Danish", async () => {
    const wrong = await api("tandlaege", `POST /Visits/${visits.own.id}/messages/read`, {
      json: { visitId: "nej", read: 1 },
    });
    expect(wrong.body.errors).toEqual({ visitId: ["Skal være et tal."], read: ["Skal være true eller false."] });
    expect((await api("tandlaege", `POST /Visits/${visits.own.id}/messages/read`, { json: {} })).body.errors).toEqual({
      read: ["Skal udfyldes."],
    });
  });

  test.each([["{"], ["nej"], [""]])("broken JSON: %s", async (json) => {
    const answer = await api("tandlaege", "PUT /Account", { json });
    expect([answer.status, answer.body.message]).toEqual([400, "Indholdet er ikke gyldig JSON."]);
  });

  test("another kind of body is 415", async () => {
    expect((await api("tandlaege", "PUT /Account", { form: formOf({ firstName: "A" }) })).status).toBe(415);
    expect((await api("admin", "PUT /Visits/status", { json: { VisitIds: [1], Status: 2 } })).status).toBe(415);
    expect(
      (
        await api("admin", "PUT /Account", {
          json: "a=b",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        })
      ).body,
    ).toHaveProperty("message");
  });

  test("refuses another site before anything is read", async () => {
    const senders: Record<string, string>[] = [
      { origin: "https://ond.example" },
      { "sec-fetch-site": "cross-site" },
      { origin: "null" },
    ];
    for (const headers of senders) {
      const answer = await api("admin", `PATCH /Visits/${visits.own.id}`, {
        json: [{ op: "replace", path: "/status", value: 7 }],
        headers,
      });
      expect([answer.status, answer.body.errors]).toEqual([403, {}]);
    }
  });

  test("an anonymous upload is 401", async () => {
    expect((await api("nobody", "POST /Visits/patientinfo", { form: formOf(patient("610190-1001")) })).status).toBe(
      401,
    );
  });
});

test("a dentist of another clinic finds no id, file or message by any call", async () => {
  const { id } = visits.own;
  const calls = apiCalls.filter(
    (route) => pathNames(route.path).includes("id") && !route.path.startsWith("/Clinics") && route.link === null,
  );
  for (const route of calls) {
    const { json, form } = trials[nameOf(route)]!;
    const answer = await api("tandlaege2", filled(nameOf(route), visits.own), {
      json,
      ...(form ? { form: form() } : {}),
    });
    expect([403, 404], nameOf(route)).toContain(answer.status);
    expect(answer.status === 403, nameOf(route)).toBe(["staff", "choosers"].includes(trials[nameOf(route)]!.may));
  }
  // A file of another referral is not there under one's own either.
  for (const address of [
    `download/journals/${visits.own.journal}`,
    `download/${visits.own.radiograph}/radiograph`,
    `messages/attachment/${visits.own.attachment}`,
  ]) {
    expect((await api("tandlaege2", `GET /Visits/${visits.other.id}/${address}`)).status, address).toBe(404);
  }
  const listed = (await api("tandlaege2", `GET /Visits?VisitNumber=${id}`)).body.paginationResult;
  expect(listed).toEqual({ entities: [], totalEntities: 0 });
});

describe("effects of calls", () => {
  test("the wizard's fields come back as they were sent", async () => {
    const { body, headers } = await api("tandlaege", `GET /Visits/${visits.own.id}`);
    expect(body).toMatchObject({
      cpr: "610190-1001",
      patientFirstName: "Åse",
      lastName: "Kjær",
      desiredTreatment: "Fjernelse af 38.",
      status: 0,
      isDraft: false,
      sendNotificationToDentist: true,
      journalFileNames: ["journal.xml"],
    });
    expect(body.radiographFiles.map((file: any) => [file.fileName, file.fileType])).toEqual(
      expect.arrayContaining([
        ["panorama.png", 2],
        ["foto.png", 1],
      ]),
    );
    expect(headers.get("etag")).toBe(`"${body.version}"`);
  });

  test("a patient is called up, once", async () => {
    const { id } = visits.own;
    const called = await api("admin", "PUT /Incall", {
      json: { visitId: id, recall: true, incallType: 1, patientAddress: "Åvej 1", incallComment: "Hører dårligt" },
    });
    expect([called.status, called.body]).toEqual([204, null]);
    const { entities } = (await api("admin", `GET /Incall?VisitNumber=${id}&Statuses=0&Statuses=3`)).body
      .paginationResult;
    expect(entities).toEqual([]);
    const [line] = (await api("admin", `GET /Incall/logs/${id}`)).body;
    expect(line).toMatchObject({ incallType: 1, callUpStatus: 1 });
    expect(line.incallContent).toContain("Kære Åse");
    const again = await api("admin", `POST /Visits/${id}/callups/1`);
    expect([again.status, again.body.message]).toEqual([400, "Besøgsopkald via brev er allerede planlagt."]);
  });

  test("a discharge letter is uploaded, listed, fetched and deleted", async () => {
    const { id } = visits.own;
    const pdf = Buffer.from(
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
    );
    const send = (kind: string, file: File) =>
      api("admin", `POST /TerminationLetters/${id}/${kind}/1`, { form: formOf({ file: [file] }) });
    const wrong = await send("diagnose", picture("brev.png"));
    expect(wrong.status).toBe(400);
    expect(JSON.stringify(wrong.body)).toContain("Denne filtype er ikke godkendt i dette felt.");
    expect((await send("diagnose", new File([pdf], "Ubrev.pdf", { type: "application/pdf" }))).status).toBe(204);
    expect((await send("rentgen", picture("kontrol.png"))).status).toBe(204);
    const list = async (who: Who, more = "") =>
      (await api(who, `GET /TerminationLetters?VisitNumber=${id}${more}`)).body;
    const { totalCount, visits: found } = await list("admin");
    expect([totalCount, found.length]).toEqual([1, 1]);
    expect(found[0]).toMatchObject({ id, cpr: "610190-1001", patientName: "Åse Kjær" });
    expect(found[0].letters).toMatchObject([
      {
        letterNumber: 1,
        visitId: id,
        diagnosFileName: "Ubrev.pdf",
        rentgenFileName: "kontrol.png",
        // The portal's own worker may have sent it in the meantime.
        status: expect.any(Number),
        attempts: 1,
        isEdiTermination: false,
      },
    ]);
    expect((await list("tandlaege")).visits[0].letters[0]).toMatchObject({ status: null, errorMessage: null });
    expect((await list("tandlaege2")).totalCount).toBe(0);
    expect((await list("admin", `&Cpr=610190&Cpr2=1001&OrderBy=4&OrderByDesc=true&PageSize=5`)).totalCount).toBe(1);
    expect((await list("admin", "&PageNumber=2")).visits).toEqual([]);
    expect((await list("admin", "&DateFrom=0&DateTo=1000000000")).totalCount).toBe(0);
    const letter = await api("tandlaege", `GET /TerminationLetters/${id}/diagnosis/1`);
    expect(letter.bytes.equals(pdf)).toBe(true);
    expect((await api("tandlaege", `GET /TerminationLetters/${id}/rentgen/1`)).headers.get("content-type")).toBe(
      "image/png",
    );
    const edi = await api("admin", `PUT /TerminationLetters/edi/${id}/number/1`, {
      json: { sendEdiTerminationAsEmail: true },
    });
    expect([edi.status, edi.body.message]).toEqual([400, "Brevet sendes ikke via EDI."]);
    const toPatient = await api("admin", `POST /TerminationLetters/${id}/rentgen/1/send-message-to-patient`, {
      json: { MessageType: 1 },
    });
    expect([toPatient.status, toPatient.body.message]).toEqual([400, "Der er intet mobilnummer."]);
    expect((await api("admin", `DELETE /TerminationLetters/${id}/number/1`)).status).toBe(204);
    expect((await list("admin")).totalCount).toBe(0);
    const missing = await api("admin", `POST /TerminationLetters/${id}/resendemail/1`);
    expect(missing.status).toBe(404);
  });

  test("a second request with the same key makes one draft and one profile", async () => {
    const once = { headers: { "idempotency-key": "the-same-key-twice" } };
    const draft = () => api("tandlaege", "POST /Visits/patientinfo", { form: formOf(patient("630190-1003")), ...once });
    expect((await draft()).body.visitId).toBe((await draft()).body.visitId);
    const profile = () =>
      api("sekretaer", "POST /Users/quick-profile", { json: { firstName: "Ny", lastName: "Henviser" }, ...once });
    const { doctorId } = (await profile()).body;
    expect(doctorId).toBeGreaterThan(0);
    expect((await profile()).body.doctorId).toBe(doctorId);
    expect((await api("sekretaer", "GET /Doctors")).body.map((doctor: any) => doctor.id)).toContain(doctorId);
  });

  test("a secretary cannot name a referrer of another clinic: 417", async () => {
    const { visitId } = (await api("sekretaer", "POST /Visits/patientinfo", { form: formOf(patient("640190-1004")) }))
      .body;
    const [own, all] = [await api("sekretaer", "GET /Doctors"), await api("admin", "GET /Doctors")];
    const foreign = all.body.find((doctor: any) => !own.body.some(({ id }: any) => id === doctor.id));
    for (const doctorId of [foreign.id, no])
      expect((await api("sekretaer", `POST /Visits/${visitId}/doctorinfo`, { json: { doctorId } })).status).toBe(417);
  });

  test("status, surgeon and edits, with and without the version that was seen", async () => {
    const { id } = visits.own;
    const read = async () => (await api("admin", `GET /Visits/${id}`)).body;
    const before = await read();
    const [surgeon] = (await api("admin", "GET /Surgeons")).body;
    const patch = [
      { op: "replace", path: "/status", value: 2 },
      { op: "replace", path: "/surgeonId", value: surgeon.id },
    ];
    expect(
      (await api("admin", `PATCH /Visits/${id}`, { json: patch, headers: { "if-match": `"${before.version}"` } }))
        .status,
    ).toBe(204);
    expect(await read()).toMatchObject({ status: 2, surgeonId: surgeon.id });
    // All or none: the surgeon that does not exist takes the status with it.
    const half = [
      { op: "replace", path: "/status", value: 3 },
      { op: "replace", path: "/surgeonId", value: no },
    ];
    expect((await api("admin", `PATCH /Visits/${id}`, { json: half })).status).toBe(400);
    const other = [{ op: "replace", path: "/price", value: 3 }];
    expect((await api("admin", `PATCH /Visits/${id}`, { json: other })).body.errors).toEqual({
      path: ["Kun /status, /doctorId og /surgeonId kan ændres."],
    });
    expect((await read()).status).toBe(2);
    expect(
      (
        await api("admin", "PUT /Visits", {
          json: { visitId: id, price: 100 },
          headers: { "if-match": `"${before.version}"` },
        })
      ).status,
    ).toBe(409);
    const edit = {
      visitId: id,
      patientCity: "Aarhus C",
      operationDate: "2027-02-03",
      operationTimeHours: 9,
      operationTimeMinutes: 30,
      price: 4850.5,
      makeTest: true,
      surgeonComment: "Set på CBCT.",
      status: 3,
    };
    expect((await api("admin", "PUT /Visits", { json: edit })).status).toBe(204);
    expect(await read()).toMatchObject({
      patientCity: "Aarhus C",
      patientZip: "8000",
      operationDate: "2027-02-03",
      operationTimeHours: 9,
      operationTimeMinutes: 30,
      price: 4850.5,
      isTestVisit: true,
      surgeonId: surgeon.id,
      status: 3,
    });
    // As the lists of hours and minutes hold them.
    const moved = { visitId: id, operationDate: "2027-02-04", operationTimeHours: "08", operationTimeMinutes: "05" };
    expect((await api("admin", "PUT /Visits", { json: moved })).status).toBe(204);
    expect(await read()).toMatchObject({
      operationDate: "2027-02-04",
      operationTimeHours: 8,
      operationTimeMinutes: 5,
    });
    const emptied = await api("admin", "PUT /Visits", { json: { visitId: id, surgeonComment: null, patientZip: "" } });
    expect([emptied.status, Object.keys(emptied.body.errors)]).toEqual([400, ["patientZip"]]);
    expect((await api("admin", "PUT /Visits", { json: { visitId: id, surgeonComment: null } })).status).toBe(204);
    expect((await read()).surgeonComment).toBeNull();
    expect((await api("admin", "PUT /Visits/status", { form: formOf({ "VisitIds[]": id, Status: 4 }) })).status).toBe(
      204,
    );
    expect((await read()).status).toBe(4);
    expect((await api("admin", `GET /Visits/${id}/visitlog`)).body[0]).toMatchObject({ status: 4 });
  });

  test("closing deletes files only when asked to", async () => {
    const { id } = await sendVisit("tandlaege", "650190-1005");
    const close = [{ op: "replace", path: "/status", value: 7 }];
    expect((await api("admin", `PATCH /Visits/${id}`, { json: close })).status).toBe(204);
    expect((await api("admin", `GET /Visits/${id}`)).body).toMatchObject({ status: 7, isRadiographUploaded: true });
    await api("admin", `PATCH /Visits/${id}`, { json: [{ op: "replace", path: "/status", value: 2 }] });
    // Files that are on their way to the archive are not deleted.
    await expect
      .poll(async () => (await api("admin", `GET /Visits/${id}`)).body.radiographExportStatus, { timeout: 15_000 })
      .toBe(3);
    expect((await api("admin", `PATCH /Visits/${id}?isDeleteAttachments=true`, { json: close })).status).toBe(204);
    expect((await api("admin", `GET /Visits/${id}`)).body).toMatchObject({
      status: 7,
      isRadiographUploaded: false,
      journalFiles: [],
    });
  });

  test("the list can be paged, sorted and filtered by its parameters", async () => {
    const of = async (query: string) => (await api("admin", `GET /Visits?${query}`)).body.paginationResult;
    expect(
      (await of("PageSize=2&OrderBy=1&OrderByAscending=true")).entities.map((visit: any) => visit.id),
    ).toHaveLength(2);
    expect((await of(`Cpr=620191-1002&Statuses=0&Statuses=2`)).entities.map((visit: any) => visit.id)).toEqual([
      visits.other.id,
    ]);
    expect((await of(`Cpr=620191&Statuses=2`)).totalEntities).toBe(0);
    const { radiographExportStatus } = (await api("admin", `GET /Visits/${visits.other.id}`)).body;
    expect((await of(`VisitNumber=${visits.other.id}`)).entities).toMatchObject([{ radiographExportStatus }]);
    const [theirs] = (await api("tandlaege2", `GET /Visits?VisitNumber=${visits.other.id}`)).body.paginationResult
      .entities;
    expect(theirs).not.toHaveProperty("radiographExportStatus");
    expect(
      (await of(`VisitNumber=${visits.other.id}&OnlyEdi=false&PatientName=kj%C3%A6r%20%C3%A5se`)).totalEntities,
    ).toBe(1);
    const [first, second] = [
      await of("PageSize=3&CurrentPage=1&OrderBy=1"),
      await of("PageSize=3&CurrentPage=2&OrderBy=1"),
    ];
    expect(Math.min(...first.entities.map((visit: any) => visit.id))).toBeGreaterThan(
      Math.max(...second.entities.map((visit: any) => visit.id)),
    );
  });

  test("exports stream UTF-16LE, or are 204", async () => {
    const csv = await api("admin", "POST /Visits/download/csv/byids", { json: { ids: [visits.other.id] } });
    expect([csv.status, csv.bytes.subarray(0, 2).toString("hex"), csv.headers.get("content-disposition")]).toEqual([
      200,
      "fffe",
      expect.stringContaining(".csv"),
    ]);
    expect(csv.bytes.toString("utf16le")).toContain("620191-1002");
    expect(
      (await api("admin", "GET /Visits/download/csv/bydates?StartDate=1999-01-01&EndDate=1999-02-01&ExportType=4"))
        .status,
    ).toBe(204);
    expect((await api("admin", "GET /Visits/csv/settings?type=4")).body.dateTime).toMatch(/Z$/);
  });

  test("files come back byte for byte", async () => {
    const file = await api("tandlaege2", `GET /Visits/${visits.other.id}/download/journals/${visits.other.journal}`);
    expect([file.bytes.toString(), file.headers.get("content-disposition")]).toEqual([
      `<?xml version="1.0"?><journal>journal.xml</journal>`,
      expect.stringContaining("attachment"),
    ]);
    expect((await api("tandlaege2", `GET /Pdf/Visit/${visits.other.id}`)).bytes.subarray(0, 5).toString()).toBe(
      "%PDF-",
    );
    expect((await api("tandlaege2", `GET /Pdf/Visit/${visits.other.id}?regenerate=true`)).status).toBe(403);
  });

  test("messages are written, edited and marked", async () => {
    const { id, message, attachment } = visits.other;
    const edit = (keep: Record<string, number>) =>
      api("tandlaege2", `PUT /Visits/${id}/messages/${message}`, {
        form: formOf({ Text: "Rettet", ...keep, attachedFiles: [journal("nyt.xml")] }),
      });
    expect((await edit({ Attachments: attachment })).status).toBe(204);
    const [edited] = (await api("tandlaege2", `GET /Visits/${id}/messages`)).body;
    expect([edited.text, edited.attachments.map((file: any) => file.name)]).toEqual([
      "Rettet",
      ["bilag.xml", "nyt.xml"],
    ]);
    expect(
      (await api("kirurg", `PUT /Visits/${id}/messages/${message}`, { form: formOf({ Text: "Fremmed" }) })).status,
    ).toBe(404);
    const radiograph = formOf({ Text: "Se her", Radiographs: [picture("ny.png")], RadiographFileTypes: "[1]" });
    expect((await api("tandlaege2", `POST /Visits/${id}/messages`, { form: radiograph })).status).toBe(204);
    expect((await api("tandlaege2", `GET /Visits/${id}`)).body.radiographFiles.at(-1)).toMatchObject({
      fileName: "ny.png",
      fileType: 1,
    });
    expect(
      (await api("tandlaege2", `POST /Visits/${id}/messages`, { form: formOf({ Text: "x", surgeonId: 1 }) })).status,
    ).toBe(403);
  });

  test("a radiograph of a sent referral is deleted by the version that was seen, once", async () => {
    const { id } = visits.other;
    const read = async () => (await api("admin", `GET /Visits/${id}`)).body;
    const before = await read();
    const remove = (version: number) =>
      api("admin", `DELETE /Visits/${id}/radiographs/${before.radiographFiles.at(-1).radiographId}`, {
        headers: { "if-match": `"${version}"` },
      });
    expect((await remove(before.version - 1)).status).toBe(409);
    expect((await read()).radiographFiles).toHaveLength(before.radiographFiles.length);
    expect((await remove(before.version)).status).toBe(204);
    expect(await read()).toMatchObject({
      version: before.version + 1,
      radiographFiles: before.radiographFiles.slice(0, -1),
    });
    expect((await remove(before.version + 1)).status).toBe(404);
  });

  test("names a refused file by the API's field", async () => {
    const wrong = await api("tandlaege2", `POST /Visits/${visits.other.id}/upload/radiographs`, {
      form: formOf({ Radiographs: [journal("billede.png")] }),
    });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ["Radiographs"]]);
  });

  test("the day's times are uploaded and tracked", async () => {
    const csv = new File(["CPR;Dato;Tid;Kode\r\n010190-1009;01.02.2027;08:30;X1\r\n"], "tider.csv", {
      type: "text/csv",
    });
    const { body, status } = await api("admin", "POST /Appointments/csv/upload", {
      form: formOf({ AppointmentFile: [csv] }),
    });
    expect([status, body]).toEqual([200, { fileTrackId: expect.any(Number) }]);
    await expect
      .poll(
        async () => (await api("admin", `GET /Appointments/csv/track-process?fileTrackId=${body.fileTrackId}`)).body,
        { timeout: 20_000, interval: 300 },
      )
      .toEqual([{ progressPercentage: 100, status: 1 }]);
  });

  test("the logs answer pages of what was sent, their types as pairs, and no link that lets somebody in", async () => {
    expect((await api("nobody", "POST /Account/password/forgot", { json: { userName: "kirurg" } })).status).toBe(204);
    const mails = await api("admin", "GET /EmailLog?CurrentPage=1&PageSize=20&emailType=1");
    const { entities, ...counts } = mails.body.paginationResult;
    expect(counts).toEqual({ totalEntities: entities.length, totalPages: 1 });
    expect(Object.keys(entities[0])).toEqual(["dateTimeStamp", "sender", "recipient", "subject", "content"]);
    expect(entities[0].content).toContain("</html>");
    expect(entities[0].content).not.toMatch(/token=/);
    expect(mails.body.emailTypes).toContainEqual({ item1: 1, item2: "Ny adgangskode" });
    expect((await api("admin", "GET /SmsLog?visitNumber=1&smsType=8")).body).toEqual({
      paginationResult: { entities: [], totalEntities: 0, totalPages: 1 },
      smsTypes: logTypes.sms.map(({ value, label }) => ({ item1: value, item2: label })),
    });
    expect((await api("admin", "GET /EBoksLogs?MessageType=2")).body.eboksMessageTypes).toEqual(
      ["Indkald", "Aftalebrev", "Xray", "Faktura", "Tilbud", "Udskrivningsbrev"].map((item2, item1) => ({
        item1,
        item2,
      })),
    );
    expect((await api("tandlaege", "GET /EmailLog")).body).toMatchObject({ errors: expect.anything() });
  });

  test("signing in and out by API", async () => {
    expect(
      (await api("nobody", "POST /Account/SignIn", { json: { userName: "tandlaege", password: "forkert1A" } })).status,
    ).toBe(400);
    const signedIn = await api("nobody", "POST /Account/SignIn", {
      json: { userName: "tandlaege", password: "Demo1234" },
    });
    const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
    expect((await api("nobody", "GET /Account", { headers: { cookie } })).body).toMatchObject({
      userName: "tandlaege",
      email: "tandlaege@eksempel.dk",
      phone: "10 96 00 16",
      role: "Dentist",
      roles: ["Dentist"],
    });
    expect((await api("nobody", "POST /Account/SignOut", { headers: { cookie } })).status).toBe(204);
    expect((await api("nobody", "GET /Account", { headers: { cookie } })).status).toBe(401);
  });
});

describe("the description", () => {
  test("holds every call with its parameters, and only those", async () => {
    const { body } = await api("admin", "GET /openapi.json");
    const described = Object.entries<Record<string, any>>(body.paths).flatMap(([pattern, calls]) =>
      Object.keys(calls).map((method) => `${method.toUpperCase()} ${pattern}`),
    );
    expect(described.sort()).toEqual(apiCalls.map(nameOf).sort());
    const ids = Object.values<Record<string, any>>(body.paths).flatMap((calls) =>
      Object.values(calls).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const [pattern, calls] of Object.entries<Record<string, any>>(body.paths)) {
      for (const { parameters, responses, summary } of Object.values(calls)) {
        expect(
          parameters
            .filter(({ in: place }: any) => place === "path")
            .map(({ name }: any) => name)
            .sort(),
        ).toEqual(pathNames(pattern).sort());
        expect(Object.keys(responses).some((status) => status.startsWith("2"))).toBe(true);
        expect(summary).not.toBe("");
      }
    }
  });

  test("resolves every reference", async () => {
    const { body } = await api("admin", "GET /openapi.json");
    const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!.split("/"));
    expect(references.length).toBeGreaterThan(0);
    for (const steps of references)
      expect(
        steps.reduce((place, step) => place?.[step], body),
        steps.join("/"),
      ).toBeTypeOf("object");
  });
});
