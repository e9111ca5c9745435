import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { deleteRadiograph } from "~/features/referrals/images/operations.server";
import { editPatient } from "~/features/referrals/details/edit-referral.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { uploadRadiograph } from "../../../tests/factories/radiographs";
import { patientLinksPortal, SMS } from "../../../tests/support/portals/patient-links-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { confirmFileOwner, revokeFileLinks } from "./operations.server";
import { readLinkedRadiographs } from "./open-patient-link.server";

forEachDatabase("what a link gives the patient", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let referralId: number;
  const { addImage, send, work, messages, token, open } = patientLinksPortal(dialect, (begun) => {
    ({ portal, admin, referralId } = begun);
  });

  const patient = async () => (await portal.as(admin, readReferral, { referralId })).patient;
  /** A DICOM file with the patient's own number, or an unreadable one, under this name. */
  async function addDicom(fileName: string, names: { cpr: string; firstName: string; lastName: string }) {
    const bytes = await drawRadiograph({ type: 4, format: "dcm", seed: fileName.length, patient: names });
    await uploadRadiograph(portal, admin, referralId, fileName, { bytes, type: 4 });
  }
  const fileNames = async () => {
    const { files } = await open(readLinkedRadiographs, await token());
    return files.map(({ fileName }) => fileName);
  };
  const strangers = async () => (await portal.as(admin, readOpenReferral, { referralId })).toPatient!.links.strangers;
  const versionOf = async () => (await portal.as(admin, readReferral, { referralId })).version;

  test("a DICOM file under another name is left out until somebody vouches for it", async () => {
    const { cpr } = await patient();
    await addImage("egen.jpg");
    await addDicom("samme-nummer.dcm", { cpr: cpr!, firstName: "Anna", lastName: "Gift" });
    await addDicom("andet-navn.dcm", { cpr: "000000-0000", firstName: "Jens", lastName: "Fremmed" });
    expect((await send(SMS)).flash!.text).toContain("Ikke med, fordi filen nævner en anden patient: andet-navn.dcm.");
    expect(await fileNames()).toEqual(["egen.jpg", "samme-nummer.dcm"]);
    const [stranger, ...others] = await strangers();
    expect([stranger!.fileName, others]).toEqual(["andet-navn.dcm", []]);
    expect(stranger!.differences.map(({ field }) => field)).toContain("name");
    await portal.as(admin, confirmFileOwner, { referralId, storedFileId: stranger!.storedFileId });
    expect(await fileNames()).toEqual(["egen.jpg", "samme-nummer.dcm", "andet-navn.dcm"]);
    expect(await strangers()).toEqual([]);
    await expect(
      portal.as(admin, confirmFileOwner, { referralId, storedFileId: stranger!.storedFileId }),
    ).rejects.toMatchObject({ name: "fileMissing" });
  });

  test("what was said of a file counts no more under another CPR number", async () => {
    await addDicom("fremmed.dcm", { cpr: "620170-4321", firstName: "Åse", lastName: "Øst" });
    const [stranger] = await strangers();
    await portal.as(admin, confirmFileOwner, { referralId, storedFileId: stranger!.storedFileId });
    await portal.as(admin, editPatient, {
      referralId,
      seenVersion: await versionOf(),
      cpr6: "640180",
      cpr4: "2001",
      firstName: "Søren",
      lastName: "Møller",
      zip: "8000",
      city: "Aarhus",
    });
    expect(await strangers()).toHaveLength(1);
  });

  test("a link whose receipt is outstanding keeps no image from being deleted", async () => {
    await addImage("forkert.jpg");
    await send(SMS);
    const link = await token();
    await portal.db
      .updateTable("outbox")
      .set({ outcome: "awaiting", sentAt: "2026-12-01T09:00:00.000Z" })
      .where("channel", "=", "sms")
      .execute();
    const { images } = await portal.as(admin, readReferral, { referralId });
    await portal.as(admin, revokeFileLinks, { referralId });
    await portal.as(admin, deleteRadiograph, { referralId, fileId: images[0]!.id });
    expect((await portal.as(admin, readReferral, { referralId })).images).toEqual([]);
    await expect(open(readLinkedRadiographs, link)).rejects.toMatchObject({ name: "linkExpired" });
  });

  test("a link that waits is withdrawn when its only image was deleted", async () => {
    await addImage("forkert.jpg");
    await send(SMS);
    const { images } = await portal.as(admin, readReferral, { referralId });
    await portal.as(admin, deleteRadiograph, { referralId, fileId: images[0]!.id });
    await work("sms");
    expect((await messages())[0]).toMatchObject({ outcome: "withdrawn", detail: "Filerne er slettet" });
  });
});
