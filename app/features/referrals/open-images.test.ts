import { writeFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { drawRadiograph } from "~db/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { holdUploads } from "~/features/images/held-uploads.server";
import { keepFile } from "~/features/images/keep-file.server";
import { purgeFiles } from "~/features/upkeep/purge-files.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { addRadiographs } from "./add-radiographs.server";
import { removeRadiograph, setRadiographType } from "./change-radiographs.server";
import { deleteRadiograph, restoreRadiograph } from "./delete-radiograph.server";
import { downloadRadiographs } from "./download-referral-file.server";
import { readImage, readUploadDialog } from "./read-images.server";
import { readReferral } from "./read-referral.server";
import { retryRadiographExport } from "./retry-radiograph-export.server";
import { sendReferral } from "./send-referral.server";

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

  const open = () => portal.as(admin, readReferral, { referralId });
  const refusedAs = (name: string) => expect.objectContaining({ name });

  async function add(who: Person, fileName: string, type: 0 | 4 = 0): Promise<number> {
    const formKey = `form-${(turn += 1)}`;
    const file = path.join(portal.config.dataDir, formKey);
    await writeFile(file, await drawRadiograph({ type, format: type === 4 ? "dcm" : "jpg", seed: turn, patient: { cpr: "620170-4321", firstName: "Åse", lastName: "Øst" } }));
    const result = await keepFile(portal, file, fileName, "radiograph");
    if ("refused" in result) throw new Error(result.refused);
    await portal.as(who, holdUploads, { formKey, files: [{ ...result.kept, field: "radiographs", kind: "radiograph" }] });
    await portal.as(who, addRadiographs, { referralId, formKey, radiographType: type });
    return (await open()).images.find(({ name }) => name === fileName)!.id;
  }

  test("an image that a dentist adds raises the version, and the log says who", async () => {
    const before = await open();
    await add(dentist, "48.jpg");
    const after = await open();
    expect(after.version).toBe(before.version + 1);
    expect(after.log[0]).toMatchObject({ what: "Et røntgenbillede er tilføjet", who: `${dentist.firstName} ${dentist.lastName}` });
    expect(after.modifierName).toBe(`${dentist.firstName} ${dentist.lastName}`);
    expect(after.images).toEqual([expect.objectContaining({ name: "48.jpg", typeLabel: "Intraoralt", isScanned: false, isDicom: false, isOfAnother: false })]);
  });

  test("the type of a sent image is staff's; it raises the version once, and says to what", async () => {
    const fileId = await add(dentist, "48.jpg");
    const { version } = await open();
    await expect(portal.as(dentist, setRadiographType, { referralId, fileId, radiographType: 2 })).rejects.toEqual(refusedAs("notInScope"));
    await portal.as(admin, setRadiographType, { referralId, fileId, radiographType: 2 });
    await portal.as(admin, setRadiographType, { referralId, fileId, radiographType: 2 });
    const after = await open();
    expect([after.version, after.log[0]?.what, after.images[0]?.typeLabel]).toEqual([version + 1, "48.jpg har fået billedtypen Panorama", "Panorama"]);
    expect((await portal.as(dentist, readUploadDialog, { referralId })).mayChange).toBe(false);
    expect((await portal.as(admin, readUploadDialog, { referralId })).mayChange).toBe(true);
  });

  test("a deleted image is hidden at once, can be brought back, and is purged when its time has run out", async () => {
    const fileId = await add(dentist, "48.jpg");
    const { version: seenVersion } = await open();
    await expect(portal.as(dentist, deleteRadiograph, { referralId, fileId, seenVersion })).rejects.toEqual(refusedAs("notAllowed"));
    await expect(portal.as(admin, deleteRadiograph, { referralId, fileId, seenVersion: seenVersion - 1 })).rejects.toEqual(refusedAs("conflict"));
    const { to } = await portal.as(admin, deleteRadiograph, { referralId, fileId, seenVersion, to: `/management/overview/${referralId}?sort=1&slettet=7` });
    expect(to).toBe(`/management/overview/${referralId}?sort=1&slettet=${fileId}#billeder`);
    const hidden = await open();
    expect([hidden.images, hidden.version, hidden.log[0]?.what]).toEqual([[], seenVersion + 1, "48.jpg er slettet"]);
    expect((await portal.as(admin, deleteRadiograph, { referralId, fileId, seenVersion })).to, "a second press").toBe(`/management/overview/${referralId}?slettet=${fileId}#billeder`);
    await expect(portal.as(admin, readImage, { referralId, fileId })).rejects.toEqual(refusedAs("fileMissing"));

    for (let press = 0; press < 2; press += 1) await portal.as(admin, restoreRadiograph, { referralId, fileId });
    const back = await open();
    expect([back.images.length, back.version, back.log[0]?.what]).toEqual([1, seenVersion + 2, "48.jpg er hentet tilbage"]);
    await purgeFiles(portal, new Date(portal.clock.now().getTime() + 90 * 86_400_000));
    expect((await open()).images, "a restored file is not purged").toHaveLength(1);

    await portal.as(admin, deleteRadiograph, { referralId, fileId, seenVersion: seenVersion + 2 });
    await purgeFiles(portal, new Date(portal.clock.now().getTime() + 90 * 86_400_000));
    await expect(portal.as(admin, restoreRadiograph, { referralId, fileId })).rejects.toEqual(refusedAs("fileMissing"));
  });

  test("nothing is deleted while a queued letter needs the files", async () => {
    const fileId = await add(dentist, "48.jpg");
    const { version: seenVersion } = await open();
    await portal.db.transaction().execute((tx) => portal.outboxIn(tx).email({ kind: "discharge", to: "h@eksempel.dk", subject: "Brev", text: "x", html: "x", referralId, needsFiles: true }));
    await expect(portal.as(admin, deleteRadiograph, { referralId, fileId, seenVersion })).rejects.toEqual(refusedAs("filesNeeded"));
    await expect(portal.as(admin, removeRadiograph, { referralId, fileId })).rejects.toEqual(refusedAs("filesNeeded"));
    expect((await open()).images).toHaveLength(1);
  });

  test("staff who save a sent referral in the wizard with another way of images are seen in its log", async () => {
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

  test("all images come in one ZIP, and to nobody outside the scope", async () => {
    await expect(portal.as(admin, downloadRadiographs, { referralId })).rejects.toEqual(refusedAs("fileMissing"));
    await add(dentist, "48 æøå.jpg");
    await add(dentist, "scan.dcm", 4);
    const zip = await portal.as(dentist, downloadRadiographs, { referralId });
    const bytes = await buffer(await zip.open());
    expect(zip).toMatchObject({ fileName: `roentgenbilleder-${referralId}.zip`, mime: "application/zip", disposition: "attachment" });
    for (const name of ["48 æøå.jpg", "scan.dcm"]) expect(bytes.includes(Buffer.from(name))).toBe(true);
    await expect(portal.as(stranger, downloadRadiographs, { referralId })).rejects.toEqual(refusedAs("notInScope"));
  });

  test("a failed export is planned again once, and the way leads to the images", async () => {
    await add(dentist, "48.jpg");
    await portal.db.updateTable("referral").set({ radiograph_export_status: 2 }).where("id", "=", referralId).execute();
    const before = await open();
    expect(before.archive).toMatchObject({ hasFailed: true, state: { label: "Fejl i export - tjek format" } });
    expect((await portal.as(dentist, readReferral, { referralId })).archive).toBeNull();
    for (const again of [1, 2]) expect((await portal.as(admin, retryRadiographExport, { referralId })).to, String(again)).toBe(`/management/overview/${referralId}/billeder.zip`);
    const after = await open();
    expect(after.archive).toMatchObject({ hasFailed: false, state: { label: "Planlagt" } });
    expect(after.version, "a state of delivery").toBe(before.version);
    expect(after.log.filter(({ what }) => what === "Eksport af røntgenbilleder er planlagt igen")).toHaveLength(1);
  });

  test("the large image knows its neighbours, its patient and what the DICOM header says", async () => {
    const [first, second] = [await add(dentist, "a.jpg"), await add(dentist, "b.dcm", 4)];
    expect(await portal.as(dentist, readImage, { referralId, fileId: first })).toMatchObject({ number: 1, count: 2, previousId: null, nextId: second, dicom: null, isOfAnother: false });
    expect(await portal.as(dentist, readImage, { referralId, fileId: second })).toMatchObject({
      previousId: first,
      nextId: null,
      patientName: "Søren Møller",
      isOfAnother: true,
      dicom: { frames: 1, patientName: "Åse Øst", takenOn: "18.11.2026" },
    });
    await expect(portal.as(stranger, readImage, { referralId, fileId: first })).rejects.toEqual(refusedAs("notInScope"));
  });
});
