import { describe, expect, test } from "vitest";
import { apiPortal, formOf, patient, picture, type Who } from "./api-portal";
import { noSuchId } from "./trials";
import { aPdf } from "../../support/pdf";

const { api, sendVisit, visits } = apiPortal();

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
    expect(headers.get("etag")).toBe(`"${body.version}.${body.statusVersion}"`);
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
    const pdf = aPdf();
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

  test("an idempotency key that cannot be used is refused, and nothing is done", async () => {
    const referrers = async () => (await api("sekretaer", "GET /Doctors")).body;
    const before = await referrers();
    for (const key of ["short", "k".repeat(65), "nøgle-nr-1"]) {
      const headers = { "idempotency-key": key };
      const draft = await api("tandlaege", "POST /Visits/patientinfo", {
        form: formOf(patient("670190-1001")),
        headers,
      });
      expect([draft.status, draft.body.message], key).toEqual([400, expect.stringContaining("8 til 64 tegn")]);
      const json = { firstName: "Uden", lastName: "Nøgle" };
      const profile = await api("sekretaer", "POST /Users/quick-profile", { json, headers });
      expect([profile.status, profile.body.message], key).toEqual([400, expect.stringContaining("8 til 64 tegn")]);
    }
    expect(await referrers()).toEqual(before);
  });

  test("a secretary cannot name a referrer of another clinic: 417", async () => {
    const { visitId } = (await api("sekretaer", "POST /Visits/patientinfo", { form: formOf(patient("640190-1004")) }))
      .body;
    const [own, all] = [await api("sekretaer", "GET /Doctors"), await api("admin", "GET /Doctors")];
    const foreign = all.body.find((doctor: any) => !own.body.some(({ id }: any) => id === doctor.id));
    for (const doctorId of [foreign.id, noSuchId])
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
      (
        await api("admin", `PATCH /Visits/${id}`, {
          json: patch,
          headers: { "if-match": `"${before.version}.${before.statusVersion}"` },
        })
      ).status,
    ).toBe(204);
    const late = await api("admin", `PATCH /Visits/${id}`, {
      json: [{ op: "replace", path: "/status", value: 3 }],
      headers: { "if-match": `"${before.version}.${before.statusVersion}"` },
    });
    expect(late.status).toBe(409);
    expect(await read()).toMatchObject({ status: 2, surgeonId: surgeon.id });
    // All or nothing: an unknown surgeon also prevents the status.
    const half = [
      { op: "replace", path: "/status", value: 3 },
      { op: "replace", path: "/surgeonId", value: noSuchId },
    ];
    expect((await api("admin", `PATCH /Visits/${id}`, { json: half })).status).toBe(400);
    const other = [{ op: "replace", path: "/price", value: 3 }];
    expect((await api("admin", `PATCH /Visits/${id}`, { json: other })).body.errors).toEqual({
      path: ["Kun /status, /doctorId og /surgeonId kan ændres."],
    });
    const twice = [patch[0], { op: "replace", path: "/status", value: 5 }];
    expect((await api("admin", `PATCH /Visits/${id}`, { json: twice })).status).toBe(400);
    expect((await read()).status).toBe(2);
    const { version } = await read();
    for (const nothing of [{ visitId: id }, { visitId: id, patientTown: "Aarhus" }])
      expect((await api("admin", "PUT /Visits", { json: nothing })).status).toBe(204);
    expect((await read()).version).toBe(version);
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
    // In the format of the hour and minute lists.
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
    // The worker may have logged the images' outcome meanwhile.
    const { body: log } = await api("admin", `GET /Visits/${id}/visitlog`);
    expect(log.find((entry: { status: number | null }) => entry.status !== null)).toMatchObject({ status: 4 });
  });

  test("closing deletes files only when asked to", async () => {
    const { id } = await sendVisit("tandlaege", "650190-1005");
    const close = [{ op: "replace", path: "/status", value: 7 }];
    expect((await api("admin", `PATCH /Visits/${id}`, { json: close })).status).toBe(204);
    expect((await api("admin", `GET /Visits/${id}`)).body).toMatchObject({ status: 7, isRadiographUploaded: true });
    await api("admin", `PATCH /Visits/${id}`, { json: [{ op: "replace", path: "/status", value: 2 }] });
    // Files being archived cannot be deleted.
    await expect.poll(async () => (await api("admin", `GET /Visits/${id}`)).body.radiographExportStatus).toBe(3);
    expect((await api("admin", `PATCH /Visits/${id}?isDeleteAttachments=true`, { json: close })).status).toBe(204);
    expect((await api("admin", `GET /Visits/${id}`)).body).toMatchObject({
      status: 7,
      isRadiographUploaded: false,
      journalFiles: [],
    });
  });
});
