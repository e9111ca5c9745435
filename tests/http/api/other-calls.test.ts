import { describe, expect, test } from "vitest";
import { logTypes } from "~/features/logs/log-types";
import { apiPortal, formOf, journal, picture } from "./api-portal";

const { api, visits } = apiPortal();

describe("effects of calls", () => {
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
        { interval: 300 },
      )
      .toEqual([{ progressPercentage: 100, status: 1 }]);
  });

  test("the logs answer pages of what was sent, and no link that lets in", async () => {
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
    const beyond = (await api("admin", "GET /EmailLog?CurrentPage=99&PageSize=20")).body.paginationResult;
    expect([beyond.entities, beyond.totalEntities > 0]).toEqual([[], true]);
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
