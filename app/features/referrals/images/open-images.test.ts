import { buffer } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import type { Person } from "~/access/actor";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { sealDicomFacts } from "~/files/dicom/dicom-facts.server";
import { aRadiograph } from "../../../../tests/factories/radiographs";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { setRadiographType } from "./change-radiographs.server";
import { downloadRadiographs } from "./download-referral-file.server";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { readImage, readUploadDialog } from "./read-images.server";
import { retryRadiographExport } from "./operations.server";

forEachDatabase("images of an open referral", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let secretary: Person;
  let stranger: Person;
  let referralId: number;
  const { read, open, set } = openReferralPortal(dialect, (given) => {
    ({ portal, admin, dentist, secretary, stranger, referralId } = given);
  });

  const refusedAs = (name: string) => expect.objectContaining({ name });
  async function add(who: Person, fileName: string, type?: 0 | 4): Promise<number> {
    await aRadiograph(portal, who, referralId, fileName, type);
    return (await open()).images.shown.find(({ name }) => name === fileName)!.id;
  }

  test("'Uploades nu' is shown as uploaded, or as missing its file", async () => {
    await set({ radiographsSendType: 0 });
    expect((await open()).referral.radiographs).toBe("Ingen fil vedhæftet");
    await add(dentist, "først.jpg");
    const html = JSON.stringify(await open());
    expect(html).toContain("Sendt gennem portalen");
    expect(html).not.toContain("Uploades nu");
    await portal.db.deleteFrom("referralFile").where("referralId", "=", referralId).execute();
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
    expect(after.images.shown).toEqual([
      expect.objectContaining({
        name: "48.jpg",
        typeLabel: "Intraoralt",
        isScanned: false,
        isDicom: false,
        isOfAnother: false,
      }),
    ]);
  });

  test("reads a DICOM file's facts once, on arrival, and stores them encrypted", async () => {
    const fileId = await add(dentist, "snit.dcm", 4);
    const { storageKey: key, dicomFactsEncrypted: accepted } = await portal.db
      .selectFrom("storedFile")
      .selectAll()
      .where("fileName", "=", "snit.dcm")
      .executeTakeFirstOrThrow();
    expect(accepted).not.toMatch(/Åse|2026/);
    const readDicom = vi.spyOn(portal.previews, "readDicom");
    expect((await portal.as(admin, readImage, { referralId, fileId })).image).toMatchObject({
      takenOn: "2026-11-18",
      dicom: { frames: 1, patientName: "Åse Øst" },
    });
    expect(readDicom).not.toHaveBeenCalled();

    // A file stored before header data was kept is read again in a reader process; another file's data cannot be
    // decrypted for it.
    await portal.db
      .updateTable("storedFile")
      .set({ dicomFactsEncrypted: null, takenOn: null })
      .where("storageKey", "=", key)
      .execute();
    expect((await portal.as(admin, readImage, { referralId, fileId })).image).toMatchObject({
      takenOn: "2026-11-18",
      dicom: { patientName: "Åse Øst" },
    });
    expect(readDicom).toHaveBeenCalledOnce();
    const foreign = sealDicomFacts(portal.secrets, "another-key", {
      frames: 9,
      patientName: "En Anden",
      studyDate: null,
    });
    await portal.db
      .updateTable("storedFile")
      .set({ dicomFactsEncrypted: foreign })
      .where("storageKey", "=", key)
      .execute();
    expect((await portal.as(admin, readImage, { referralId, fileId })).image.dicom).toMatchObject({
      patientName: "Åse Øst",
    });
    readDicom.mockRestore();
  });

  test("staff and uploader change a sent image's type: one version, one log line", async () => {
    const fileId = await add(dentist, "48.jpg");
    const { version } = await open();
    for (const who of [secretary, stranger]) {
      await expect(portal.as(who, setRadiographType, { referralId, fileId, radiographType: 2 })).rejects.toEqual(
        refusedAs("notInScope"),
      );
    }
    await portal.as(admin, setRadiographType, { referralId, fileId, radiographType: 2 });
    await portal.as(admin, setRadiographType, { referralId, fileId, radiographType: 2 });
    const after = await open();
    expect([after.version, after.log[0]?.what, after.images.shown[0]?.typeLabel]).toEqual([
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
    expect([await may(admin), await may(dentist), await may(secretary)]).toEqual([[true], [true], [false]]);
  });

  test("of 100 images one page is read; the dialog begins with the newest", async () => {
    const first = await add(dentist, "48.jpg");
    const row = await portal.db
      .selectFrom("referralFile")
      .selectAll()
      .where("id", "=", first)
      .executeTakeFirstOrThrow();
    const { id: _, ...copy } = row;
    await portal.db
      .insertInto("referralFile")
      .values(Array.from({ length: 99 }, () => copy))
      .execute();
    const page = async (imagePage?: number) =>
      (await portal.as(admin, readOpenReferral, { referralId, imagePage })).images;
    expect(await page()).toMatchObject({ count: 100, page: 1, pageCount: 3 });
    const { shown } = await page(3);
    expect(shown).toHaveLength(4);
    const viewer = await portal.as(admin, readImage, { referralId, fileId: shown[0]!.id });
    expect([viewer.number, viewer.strip.page, viewer.strip.images[0], viewer.strip.firstIds]).toEqual([
      97,
      3,
      expect.objectContaining({ id: shown[0]!.id }),
      [first, expect.any(Number), shown[0]!.id],
    ]);
    const dialog = await portal.as(dentist, readUploadDialog, { referralId });
    expect(dialog.images.map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
    expect(dialog.whole).toMatchObject({ page: 3, pageCount: 3, files: 100, pictures: 100 });
  });

  test("logs that staff changed how images are sent in a sent referral", async () => {
    await add(dentist, "48.jpg");
    const { version } = await open();
    await portal.as(admin, sendReferral, { referralId, formKey: "", radiographsSendType: 3 });
    const after = await open();
    expect([after.images.count, after.version > version]).toEqual([0, true]);
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
    await portal.db.updateTable("outbox").set({ outcome: "failed" }).where("referralId", "=", referralId).execute();
    await set({ radiographExportStatus: 2 });
    const before = await open();
    expect(before.archive).toMatchObject({ hasFailed: true, state: { label: "Fejl i export - tjek format" } });
    expect((await open(dentist)).archive).toBeNull();
    expect((await read(dentist)).exportStatus).toBeNull();
    for (const again of [1, 2])
      expect((await portal.as(admin, retryRadiographExport, { referralId })).to, String(again)).toBe(
        `/management/overview/${referralId}/billeder.zip`,
      );
    const after = await open();
    expect(after.archive).toMatchObject({ hasFailed: false, state: { label: "Planlagt" } });
    expect(after.version, "a state of delivery").toBe(before.version);
    expect(after.log.filter(({ what }) => what === "Eksport af røntgenbilleder er planlagt igen")).toHaveLength(1);
  });

  test("the large image answers its neighbours, the one beside it and DICOM facts", async () => {
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
      image: { isOfAnother: true, takenOn: "2026-11-18", dicom: { frames: 1, patientName: "Åse Øst" } },
    });
    await expect(portal.as(stranger, readImage, { referralId, fileId: first })).rejects.toEqual(
      refusedAs("notInScope"),
    );
  });
});
