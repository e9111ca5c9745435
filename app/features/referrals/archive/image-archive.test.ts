// @module-tag matrix
// @module-tag orthanc
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { resendFailure } from "~/features/logs/handle-failure.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { retryRadiographExport } from "~/features/referrals/images/operations.server";
import { editPatient } from "~/features/referrals/details/edit-referral.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { toMoment } from "~/text/dates";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aRadiograph } from "../../../../tests/factories/radiographs";
import { aReferral } from "../../../../tests/factories/referrals";
import { type Orthanc, startOrthanc } from "../../../../tests/support/peers/orthanc";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { loadConfig } from "~/config/config.server";
import { createDimseArchive } from "~/gateways/image-archive/dimse.server";
import { differencesOf } from "./image-identity";

describe("whose picture a DICOM file is", () => {
  const patient = { cpr: "251248-9996", name: "Nancy Ann Berggren" };
  test.each([
    [{ isOwnCpr: true, name: "En Anden", birthDate: "1900-01-01" }, []],
    [{ isOwnCpr: false, name: "Nancy Ann Berggren", birthDate: null }, ["cpr"]],
    [{ isOwnCpr: null, name: "Nancy Berggren", birthDate: "1948-12-25" }, []],
    [{ isOwnCpr: null, name: "Nancy Berggren", birthDate: null }, []],
    [{ isOwnCpr: null, name: "Berggren", birthDate: null }, ["name"]],
    [{ isOwnCpr: null, name: "Nancy Berggren", birthDate: "1948-12-26" }, ["birthDate"]],
    [{ isOwnCpr: null, name: null, birthDate: "1948-12-25" }, []],
    [{ isOwnCpr: null, name: null, birthDate: null }, ["nobody"]],
  ])("%j differs in %j", (file, fields) => {
    expect(differencesOf(file, patient).map(({ field }) => field)).toEqual(fields);
  });
});

let orthanc: Orthanc;
beforeAll(async () => {
  orthanc = await startOrthanc();
});
afterAll(() => orthanc.stop());

forEachDatabase("images to the archive", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  const settings = () =>
    loadConfig({ NODE_ENV: "test", APP_SECRET: "a-secret-of-the-tests-0123456789abcdef", ...orthanc.env })
      .imageArchive!;

  beforeAll(async () => {
    portal = await createTestPortal(dialect, { env: orthanc.env });
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());

  const work = async () => {
    while (
      (await portal.as({ kind: "system", job: "test" }, sendMessage, { owner: "a", channel: "archive" })).data?.sent ===
      true
    );
  };
  const status = async (id: number) =>
    (
      await portal.db
        .selectFrom("referral")
        .select("radiographExportStatus")
        .where("id", "=", id)
        .executeTakeFirstOrThrow()
    ).radiographExportStatus;
  const messages = (id: number) =>
    portal.db.selectFrom("outbox").selectAll().where("referralId", "=", id).where("channel", "=", "archive").execute();

  test("an added picture is planned, stored, and archived when the archive shows it", async () => {
    const id = await aReferral(portal, dentist, { firstName: "Søren", lastName: "Åkjær" });
    expect(await status(id)).toBeNull();
    const bytes = await aRadiograph(portal, dentist, id, "øre.jpg");
    expect(await status(id)).toBe(1);
    await work();
    expect((await messages(id)).map(({ outcome, detail }) => [outcome, detail])).toEqual([["sent", null]]);
    expect(await status(id)).toBe(3);
    const logged = portal.db.selectFrom("visitLog").select("event").where("referralId", "=", id);
    expect(await logged.where("logType", "=", "archive").execute()).toEqual([
      { event: "Røntgenbilleder til arkivet: Arkiveret korrekt" },
    ]);
    const stored = (await orthanc.instances()).filter(({ AccessionNumber }) => AccessionNumber === String(id));
    expect(stored.at(-1)).toMatchObject({ PatientName: "Åkjær^Søren", Modality: "IO" });
    const files = await Promise.all(stored.map(({ SOPInstanceUID }) => orthanc.file(SOPInstanceUID!)));
    expect(files.some((file) => file.includes(bytes))).toBe(true);
  });

  test("another patient's DICOM file is withheld, and archived once vouched for", async () => {
    const id = await aReferral(portal, dentist);
    const before = (await orthanc.instances()).length;
    await aRadiograph(portal, dentist, id, "anden.dcm", 4);
    await work();
    expect((await messages(id)).map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ["failed", "Tilbageholdt: filen nævner en anden patient"],
    ]);
    expect(await status(id)).toBe(2);
    expect(await orthanc.instances()).toHaveLength(before);
    const [held] = await messages(id);
    await portal.as(admin, resendFailure, { messageId: held!.id, channel: "archive" });
    await work();
    expect([await status(id), (await orthanc.instances()).length]).toEqual([
      3,
      dialect === "sqlite" ? before + 1 : expect.any(Number),
    ]);
    expect(
      await portal.db.selectFrom("archiveExport").select("releasedBy").where("referralId", "=", id).execute(),
    ).toEqual([{ releasedBy: admin.id }]);
  });

  test("staff see what differs; a corrected number sends and asks again", async () => {
    const id = await aReferral(portal, dentist, { firstName: "Bo", lastName: "Ny" });
    await aRadiograph(portal, dentist, id, "tand.jpg");
    await aRadiograph(portal, dentist, id, "fremmed.dcm", 4);
    await work();
    const open = async (who: Person) => portal.as(who, readReferral, { referralId: id });
    const { withheldImages, patient, version } = await open(admin);
    expect(withheldImages).toEqual([
      {
        fileName: "fremmed.dcm",
        count: 1,
        differences: [
          { field: "cpr", inFile: null, onReferral: patient.cpr },
          { field: "name", inFile: "Åse Øst", onReferral: "Bo Ny" },
        ],
      },
    ]);
    expect((await open(dentist)).withheldImages).toEqual([]);

    const save = { referralId: id, firstName: "Bo", lastName: "Ny", zip: "8000", city: "Aarhus" };
    const corrected = await portal.as(admin, editPatient, {
      ...save,
      seenVersion: version,
      cpr6: "620170",
      cpr4: "4321",
    });
    expect(corrected.flash?.text).toContain(
      "2 billeder er planlagt til arkivet igen. I arkivet ligger de også under det tidligere CPR-nummer",
    );
    await work();
    expect([await status(id), (await open(admin)).withheldImages]).toEqual([3, []]);
    const stored = (await orthanc.instances()).filter(({ AccessionNumber }) => AccessionNumber === String(id));
    // Both databases share one archive and produce equal ids.
    expect(stored.map(({ PatientID }) => PatientID?.replace("-", ""))).toEqual(
      expect.arrayContaining([patient.cpr!.replace("-", ""), "6201704321"]),
    );

    await portal.db
      .updateTable("archiveExport")
      .set({ releasedBy: admin.id, releasedAt: toMoment(portal.clock.now()) })
      .where("referralId", "=", id)
      .execute();
    const seenVersion = (await open(admin)).version;
    await portal.as(admin, editPatient, { ...save, seenVersion, cpr6: "640180", cpr4: "2001" });
    await work();
    expect((await open(admin)).withheldImages.map(({ fileName }) => fileName)).toEqual(["fremmed.dcm"]);
  });

  test("plans no export for a test referral", async () => {
    const id = await aReferral(portal, dentist, { makeTest: "on" });
    await portal.db.updateTable("referral").set({ isTest: true }).where("id", "=", id).execute();
    await aRadiograph(portal, dentist, id, "test.jpg");
    expect([await messages(id), await status(id)]).toEqual([[], null]);
  });

  test("a failed export is retried by its button, and its cause is shown", async () => {
    const id = await aReferral(portal, dentist);
    const { imageArchive } = portal;
    portal.imageArchive = createDimseArchive({ ...settings(), calledTitle: "ANOTHER" });
    await aRadiograph(portal, dentist, id, "igen.jpg");
    await work();
    expect((await messages(id))[0]).toMatchObject({
      outcome: "queued",
      detail: "Arkivet hedder ikke ANOTHER (afvist 1/7)",
      reason: "archiveKnowsNoPortal",
    });
    portal.clock.advance({ days: 27 });
    await work();
    expect(await status(id)).toBe(1);
    portal.clock.advance({ days: 1 });
    await work();
    expect(await status(id)).toBe(2);
    portal.imageArchive = imageArchive;
    await portal.as(admin, retryRadiographExport, { referralId: id });
    expect(await status(id)).toBe(1);
    await work();
    expect(await status(id)).toBe(3);
  });

  test("a closed port is reported with its reason", async () => {
    const closed = createDimseArchive({ ...settings(), port: 1 });
    const names = { sopClass: "1.2.840.10008.5.1.4.1.1.7", sopInstance: "2.25.1", study: "2.25.2", series: "2.25.3" };
    const instance = {
      ...names,
      patientId: "251248-9996",
      transferSyntax: "1.2.840.10008.1.2.1",
      sizeBytes: 1,
      dataSetOffset: 0,
      open: () => Promise.reject(new Error("not opened")),
    };
    expect(await closed.send({ key: "a", instance }, AbortSignal.timeout(5000))).toEqual({
      outcome: "retry",
      detail: "Arkivet svarer ikke (ECONNREFUSED)",
      reason: "archiveSilent",
      isChannelDown: true,
    });
  });
});
