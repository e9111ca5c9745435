import { readOpenReferral } from "~/features/open-referral/read-open-referral.server";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { drawRadiograph } from "~db/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { sealDicomFacts } from "~/files/dicom/dicom-facts-seal.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-upload.server";
import { purgeDueFiles } from "~/features/maintenance/purge-files.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aReferral } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { addRadiographs } from "./add-radiographs.server";
import { removeRadiograph, setRadiographType } from "./change-radiographs.server";
import { deleteRadiograph } from "./delete-radiograph.server";
import { downloadRadiographs } from "./download-referral-file.server";
import { readImage, readUploadDialog } from "./read-images.server";
import { presentReferral } from "~/routes/management.overview.$visitId/present";
import { restoreFile } from "./restore-file.server";
import { retryRadiographExport } from "./retry-radiograph-export.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { CLOSED } from "~/features/referrals/model/status";

forEachDatabase("images of an open referral", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let stranger: Person;
  let referralId: number;
  let turn = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    referralId = await aReferral(portal, dentist);
  });

  const open = async () => presentReferral(await portal.as(admin, readOpenReferral, { referralId }));
  const refusedAs = (name: string) => expect.objectContaining({ name });

  async function add(who: Person, fileName: string, type: 0 | 4 = 0): Promise<number> {
    return addBytes(
      who,
      fileName,
      await drawRadiograph({
        type,
        format: type === 4 ? "dcm" : "jpg",
        seed: (turn += 1),
        patient: { cpr: "620170-4321", firstName: "Åse", lastName: "Øst" },
      }),
      type,
    );
  }

  async function addBytes(who: Person, fileName: string, bytes: Buffer, type: number): Promise<number> {
    const formKey = `form-${(turn += 1)}`;
    const file = path.join(portal.config.dataDir, formKey);
    await writeFile(file, bytes);
    const result = await storeUpload(portal, file, fileName, "radiograph");
    if ("refused" in result) throw new Error(result.refused);
    await portal.as(who, stageUploads, {
      formKey,
      files: [{ ...result.accepted, field: "radiographs", kind: "radiograph" }],
    });
    await portal.as(who, addRadiographs, { referralId, formKey, radiographType: type });
    return (await open()).images.find(({ name }) => name === fileName)!.id;
  }

  test("'Uploades nu' is shown as uploaded, or as missing its file", async () => {
    await portal.db.updateTable("referral").set({ radiographs_send_type: 0 }).where("id", "=", referralId).execute();
    expect((await open()).referral.radiographs).toBe("Ingen fil vedhæftet");
    await add(dentist, "først.jpg");
    const html = JSON.stringify(await open());
    expect(html).toContain("Sendt gennem portalen");
    expect(html).not.toContain("Uploades nu");
    await portal.db.deleteFrom("referral_file").where("referral_id", "=", referralId).execute();
  });

  test("an image that a dentist adds raises the version, and the log says who", async () => {
    const before = await open();
    await add(dentist, "48.jpg");
    const after = await open();
    expect(after.version).toBe(before.version + 1);
    expect(after.log[0]).toMatchObject({
      what: "Et røntgenbillede er tilføjet",
      who: `${dentist.firstName} ${dentist.lastName}`,
    });
    expect(after.modifierName).toBe(`${dentist.firstName} ${dentist.lastName}`);
    expect(after.images).toEqual([
      expect.objectContaining({
        name: "48.jpg",
        typeLabel: "Intraoralt",
        isScanned: false,
        isDicom: false,
        isOfAnother: false,
      }),
    ]);
  });

  test("reads a DICOM file's facts on arrival, stores them encrypted, and does not read the file again for a page", async () => {
    const fileId = await add(dentist, "snit.dcm", 4);
    const { storage_key: key, dicom_facts_encrypted: accepted } = await portal.db
      .selectFrom("stored_file")
      .selectAll()
      .where("file_name", "=", "snit.dcm")
      .executeTakeFirstOrThrow();
    expect(accepted).not.toMatch(/Åse|2026/);
    const read = vi.spyOn(portal.previews, "readDicom");
    expect((await portal.as(admin, readImage, { referralId, fileId })).image.dicom).toMatchObject({
      frames: 1,
      patientName: "Åse Øst",
      takenOn: "2026-11-18",
    });
    expect(read).not.toHaveBeenCalled();

    // A file that came before this was kept is read once more, beside the portal; another file's words do not open.
    await portal.db
      .updateTable("stored_file")
      .set({ dicom_facts_encrypted: null })
      .where("storage_key", "=", key)
      .execute();
    expect((await portal.as(admin, readImage, { referralId, fileId })).image.dicom).toMatchObject({
      patientName: "Åse Øst",
    });
    expect(read).toHaveBeenCalledOnce();
    const foreign = sealDicomFacts(portal.secrets, "another-key", {
      frames: 9,
      patientName: "En Anden",
      studyDate: null,
    });
    await portal.db
      .updateTable("stored_file")
      .set({ dicom_facts_encrypted: foreign })
      .where("storage_key", "=", key)
      .execute();
    expect((await portal.as(admin, readImage, { referralId, fileId })).image.dicom).toMatchObject({
      patientName: "Åse Øst",
    });
    read.mockRestore();
  });

  test("staff and the uploader may change the type of a sent image, which raises the version once and is logged", async () => {
    const fileId = await add(dentist, "48.jpg");
    const { version } = await open();
    const colleague = await aPerson(portal, { role: "Secretary", clinicIds: dentist.clinicIds });
    for (const who of [colleague, stranger]) {
      await expect(portal.as(who, setRadiographType, { referralId, fileId, radiographType: 2 })).rejects.toEqual(
        refusedAs("notInScope"),
      );
    }
    await portal.as(admin, setRadiographType, { referralId, fileId, radiographType: 2 });
    await portal.as(admin, setRadiographType, { referralId, fileId, radiographType: 2 });
    const after = await open();
    expect([after.version, after.log[0]?.what, after.images[0]?.typeLabel]).toEqual([
      version + 1,
      "48.jpg har fået billedtypen Panorama",
      "Panorama",
    ]);
    await portal.as(dentist, setRadiographType, { referralId, fileId, radiographType: 1 });
    const own = await open();
    expect([own.version, own.log[0]?.what, own.log[0]?.who]).toEqual([
      version + 2,
      "48.jpg har fået billedtypen Foto",
      `${dentist.firstName} ${dentist.lastName}`,
    ]);
    const may = async (who: Person) =>
      (await portal.as(who, readUploadDialog, { referralId })).images.map((image) => image.mayRetype);
    expect([await may(admin), await may(dentist), await may(colleague)]).toEqual([[true], [true], [false]]);
  });

  test("lists deleted files with a way to restore them until they are purged; restoring one that was uploaded again makes no duplicate", async () => {
    const fileId = await add(dentist, "48.jpg");
    const dicomId = await add(dentist, "snit.dcm", 4);
    // While an image waits for the archive no file is deleted.
    await portal.db.updateTable("outbox").set({ outcome: "sent" }).where("referral_id", "=", referralId).execute();
    const { version: seenVersion } = await open();
    const closed = await portal.as(admin, setStatus, {
      referralId,
      status: CLOSED,
      seenVersion,
      isDeleteAttachments: "true",
    });
    expect(closed.flash?.text).toContain("2 filer er slettet");
    expect((await open()).deletedFiles).toEqual([
      { id: dicomId, name: "snit.dcm", kindLabel: "Røntgenbilleder", deletedOn: "01.12.2026", lastDay: "31.12.2026" },
      { id: fileId, name: "48.jpg", kindLabel: "Røntgenbilleder", deletedOn: "01.12.2026", lastDay: "31.12.2026" },
    ]);
    expect((await portal.as(dentist, readOpenReferral, { referralId })).deletedFiles).toEqual([]);

    const bytes = await buffer(
      await portal.files.openRead(
        (
          await portal.db
            .selectFrom("stored_file")
            .select("storage_key")
            .where("file_name", "=", "48.jpg")
            .orderBy("id", "desc")
            .executeTakeFirstOrThrow()
        ).storage_key,
      ),
    );
    await addBytes(dentist, "48 igen.jpg", bytes, 0);
    expect((await open()).deletedFiles.map(({ name }) => name)).toEqual(["snit.dcm"]);
    const refused = await portal.as(admin, restoreFile, { referralId, fileId });
    expect([refused.flash?.text, (await open()).images.map(({ name }) => name)]).toEqual([
      "48.jpg er uploadet igen og ligger der allerede.",
      ["48 igen.jpg"],
    ]);
    await portal.as(admin, restoreFile, { referralId, fileId: dicomId });
    expect((await open()).images.map(({ name }) => name)).toEqual(["snit.dcm", "48 igen.jpg"]);

    await portal.db
      .updateTable("stored_file")
      .set({ purge_after: portal.clock.now().toISOString().replace("T", " ").replace("Z", "") })
      .where("purge_after", "is not", null)
      .execute();
    await expect(portal.as(admin, restoreFile, { referralId, fileId })).rejects.toEqual(refusedAs("fileMissing"));
  });

  test("a deleted image is hidden at once, can be restored, and is purged after its retention period", async () => {
    const fileId = await add(dentist, "48.jpg");
    const { version: seenVersion } = await open();
    await expect(portal.as(dentist, deleteRadiograph, { referralId, fileId, seenVersion })).rejects.toEqual(
      refusedAs("notAllowed"),
    );
    await expect(
      portal.as(admin, deleteRadiograph, { referralId, fileId, seenVersion: seenVersion - 1 }),
    ).rejects.toEqual(refusedAs("conflict"));
    const { to } = await portal.as(admin, deleteRadiograph, {
      referralId,
      fileId,
      seenVersion,
      to: `/management/overview/${referralId}?sort=1&slettet=7`,
    });
    expect(to).toBe(`/management/overview/${referralId}?sort=1&slettet=${fileId}#billeder`);
    const hidden = await open();
    expect([hidden.images, hidden.version, hidden.log[0]?.what]).toEqual([[], seenVersion + 1, "48.jpg er slettet"]);
    expect((await portal.as(admin, deleteRadiograph, { referralId, fileId, seenVersion })).to, "a second press").toBe(
      `/management/overview/${referralId}?slettet=${fileId}#billeder`,
    );
    await expect(portal.as(admin, readImage, { referralId, fileId })).rejects.toEqual(refusedAs("fileMissing"));

    for (let press = 0; press < 2; press += 1) await portal.as(admin, restoreFile, { referralId, fileId });
    const back = await open();
    expect([back.images.length, back.version, back.log[0]?.what]).toEqual([
      1,
      seenVersion + 2,
      "48.jpg er hentet tilbage",
    ]);
    await purgeDueFiles(portal, new Date(portal.clock.now().getTime() + 90 * 86_400_000));
    expect((await open()).images, "a restored file is not purged").toHaveLength(1);

    await portal.as(admin, deleteRadiograph, { referralId, fileId, seenVersion: seenVersion + 2 });
    await purgeDueFiles(portal, new Date(portal.clock.now().getTime() + 90 * 86_400_000));
    await expect(portal.as(admin, restoreFile, { referralId, fileId })).rejects.toEqual(refusedAs("fileMissing"));
  });

  test("nothing is deleted while a queued letter needs the files", async () => {
    const fileId = await add(dentist, "48.jpg");
    const { version: seenVersion } = await open();
    await portal.db
      .transaction()
      .execute((tx) =>
        portal
          .outboxIn(tx)
          .email({ kind: "dischargeLetter", to: "h@eksempel.dk", subject: "Brev", text: "x", html: "x", referralId }),
      );
    await expect(portal.as(admin, deleteRadiograph, { referralId, fileId, seenVersion })).rejects.toEqual(
      refusedAs("filesNeeded"),
    );
    await expect(portal.as(admin, removeRadiograph, { referralId, fileId })).rejects.toEqual(refusedAs("filesNeeded"));
    expect((await open()).images).toHaveLength(1);
  });

  test("logs that staff changed how images are sent in a sent referral", async () => {
    await add(dentist, "48.jpg");
    const { version } = await open();
    await portal.as(admin, sendReferral, { referralId, formKey: "", radiographsSendType: 3 });
    const after = await open();
    expect([after.images.length, after.version > version]).toEqual([0, true]);
    expect(after.log[0]?.what).toBe("48.jpg er slettet");
    await portal.as(admin, sendReferral, { referralId, formKey: "", radiographsSendType: 3 });
    expect((await open()).version, "nothing changed").toBe(after.version);
    await portal.as(admin, sendReferral, { referralId, formKey: "", radiographsSendType: 2 });
    expect((await open()).log[0]?.what).toMatch(/^Billederne: /);
  });

  test("downloads all images in one ZIP, within the scope only", async () => {
    await expect(portal.as(admin, downloadRadiographs, { referralId })).rejects.toEqual(refusedAs("fileMissing"));
    await add(dentist, "48 æøå.jpg");
    await add(dentist, "scan.dcm", 4);
    const zip = await portal.as(dentist, downloadRadiographs, { referralId });
    const bytes = await buffer(await zip.open());
    expect(zip).toMatchObject({
      fileName: `roentgenbilleder-${referralId}.zip`,
      mime: "application/zip",
      disposition: "attachment",
    });
    for (const name of ["48 æøå.jpg", "scan.dcm"]) expect(bytes.includes(Buffer.from(name))).toBe(true);
    await expect(portal.as(stranger, downloadRadiographs, { referralId })).rejects.toEqual(refusedAs("notInScope"));
  });

  test("retries a failed export once, and redirects to the images", async () => {
    await add(dentist, "48.jpg");
    await portal.db.updateTable("outbox").set({ outcome: "failed" }).where("referral_id", "=", referralId).execute();
    await portal.db.updateTable("referral").set({ radiograph_export_status: 2 }).where("id", "=", referralId).execute();
    const before = await open();
    expect(before.archive).toMatchObject({ hasFailed: true, state: { label: "Fejl i export - tjek format" } });
    expect(presentReferral(await portal.as(dentist, readOpenReferral, { referralId })).archive).toBeNull();
    expect((await portal.as(dentist, readOpenReferral, { referralId })).exportStatus).toBeNull();
    for (const again of [1, 2])
      expect((await portal.as(admin, retryRadiographExport, { referralId })).to, String(again)).toBe(
        `/management/overview/${referralId}/billeder.zip`,
      );
    const after = await open();
    expect(after.archive).toMatchObject({ hasFailed: false, state: { label: "Planlagt" } });
    expect(after.version, "a state of delivery").toBe(before.version);
    expect(after.log.filter(({ what }) => what === "Eksport af røntgenbilleder er planlagt igen")).toHaveLength(1);
  });

  test("the large image answers its neighbours, the image beside it and the facts of its DICOM header", async () => {
    const [first, second] = [await add(dentist, "a.jpg"), await add(dentist, "b.dcm", 4)];
    expect(await portal.as(dentist, readImage, { referralId, fileId: first, besideId: second })).toMatchObject({
      number: 1,
      count: 2,
      previousId: null,
      nextId: second,
      image: { id: first, dicom: null, isOfAnother: false },
      beside: { id: second, isOfAnother: true },
    });
    for (const besideId of [first, 999_999, null])
      expect((await portal.as(dentist, readImage, { referralId, fileId: first, besideId })).beside).toBeNull();
    expect(await portal.as(dentist, readImage, { referralId, fileId: second })).toMatchObject({
      previousId: first,
      nextId: null,
      image: { isOfAnother: true, dicom: { frames: 1, patientName: "Åse Øst", takenOn: "2026-11-18" } },
    });
    await expect(portal.as(stranger, readImage, { referralId, fileId: first })).rejects.toEqual(
      refusedAs("notInScope"),
    );
  });
});
