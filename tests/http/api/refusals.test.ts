import { describe, expect, test } from "vitest";
import { apiPortal, formOf, patient, picture } from "./api-portal";
import { noSuchId } from "./trials";

const { api, visits } = apiPortal();

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

  test("errors of a field read in parts stand under the field sent", async () => {
    const long = "1".repeat(60);
    const cpr = { errors: { Cpr: ["Teksten er for lang: højst 40 tegn.", expect.stringContaining("seks cifre")] } };
    const form = formOf(patient(long));
    expect((await api("tandlaege", "POST /Visits/patientinfo", { form })).body).toMatchObject(cpr);
    const json = { licensePlate: long, mobilePhone: "12345678", bookingDateTime: "2030-01-01" };
    expect(
      Object.keys((await api("nobody", "POST /Parking/create-booking-for-new-patient", { json })).body.errors),
    ).toEqual(["licensePlate"]);
  });

  test("refuses ids that differ, files without a type, unknown numbers", async () => {
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
    const mass = await api("admin", "PUT /Visits/status", {
      form: formOf({ VisitIds: `[${id},${noSuchId}]`, Status: 2 }),
    });
    expect([mass.status, mass.body.errors]).toEqual([
      400,
      { VisitIds: [`Intet er ændret: nr. ${noSuchId} findes ikke.`] },
    ]);
    expect((await api("admin", `GET /Visits/${id}`)).body.status).toBe(before.status);
  });

  test("a switch that is named alone is on; an empty filter is none", async () => {
    const total = async (query: string) =>
      (await api("admin", `GET /Visits${query}`)).body.paginationResult.totalEntities;
    expect(await total("?OnlyEdi=&IsOnlyTestVisits=&Statuses=&OrderBy=0")).toBe(await total(""));
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

  test("a call that takes no fields names none", async () => {
    const { id } = visits.own;
    const json = { visitId: id, operationDate: "2030-05-06", operationTimeHours: 10 };
    await api("admin", "PUT /Visits", { json });
    const answer = await api("admin", `POST /SmsAppointments/visitid/${id}/send-sms-without-cancellation`);
    expect([answer.status, answer.body]).toEqual([400, { message: "Der er intet mobilnummer.", errors: {} }]);
  });

  test.each([["{"], ["nej"], [""]])("broken JSON: %s", async (json) => {
    const answer = await api("tandlaege", "PUT /Account", { json });
    expect([answer.status, answer.body.message]).toEqual([400, "Indholdet er ikke gyldig JSON."]);
  });

  test.each([
    [`[${"{},".repeat(100_000)}{}]`, "Indholdet har flere værdier, end der kan læses."],
    [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "Indholdet har flere lag, end der kan læses."],
  ])("JSON of more than any call takes is refused before it is parsed: %#", async (json, message) => {
    const answer = await api("admin", `PATCH /Visits/${visits.own.id}`, { json });
    expect([answer.status, answer.body]).toEqual([400, { message, errors: {} }]);
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
