import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { uploadRadiograph } from "../../../../tests/factories/radiographs";
import { aReferral } from "../../../../tests/factories/referrals";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { plansOf } from "../../../../tests/support/query-plans";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { findSameImages } from "~/features/referrals/store/referral-file-store.server";
import { trustedReferral } from "~/access/scope.server";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { readImage, readUploadDialog } from "./read-images.server";

let seed = 900;
const patient = { cpr6: "610193", cpr4: "4001" };

forEachDatabase("the same image in another referral", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let stranger: Person;
  openReferralPortal(dialect, (given) => {
    ({ portal, admin, dentist, stranger } = given);
  });

  const send = async (who: Person, bytes: Buffer, of: object) => {
    const referralId = await aReferral(portal, who, { ...of });
    await uploadRadiograph(portal, who, referralId, "48.jpg", { bytes, type: 0 });
    return referralId;
  };
  const draw = () => drawRadiograph({ type: 0, format: "jpg", seed: (seed += 1) });
  const told = async (who: Person, referralId: number) => {
    const { images } = await portal.as(who, readOpenReferral, { referralId });
    const fileId = images.shown[0]!.id;
    expect((await portal.as(who, readImage, { referralId, fileId })).sameIn).toEqual(images.shown[0]!.sameIn);
    return images.shown[0]!.sameIn;
  };

  test("is told of the patient's own referral to all who may see both", async () => {
    const bytes = await draw();
    const [first, second] = [await send(dentist, bytes, patient), await send(dentist, bytes, patient)];
    for (const who of [admin, dentist]) {
      expect(await told(who, second)).toEqual([{ referralId: first, isSamePatient: true }]);
      expect(await told(who, first)).toEqual([{ referralId: second, isSamePatient: true }]);
    }
  });

  test("is not told of a referral that the reader may not see", async () => {
    const bytes = await draw();
    const theirs = await send(stranger, bytes, patient);
    const own = await send(dentist, bytes, patient);
    expect(await told(dentist, own)).toEqual([]);
    expect(await told(admin, own)).toEqual([{ referralId: theirs, isSamePatient: true }]);
  });

  test("of another patient is told to those who may see both, also where it is uploaded", async () => {
    const another = { cpr6: "610194", cpr4: "4002" };
    const bytes = await draw();
    const other = await send(dentist, bytes, another);
    const own = await send(dentist, bytes, patient);
    for (const who of [admin, dentist]) {
      expect(await told(who, own)).toEqual([{ referralId: other, isSamePatient: false }]);
      expect((await portal.as(who, readUploadDialog, { referralId: own })).whole.sentBefore).toEqual([
        { name: "48.jpg", referralId: other },
      ]);
    }
    const unseen = await draw();
    await send(stranger, unseen, another);
    const alone = await send(dentist, unseen, patient);
    expect(await told(dentist, alone)).toEqual([]);
    expect((await portal.as(dentist, readUploadDialog, { referralId: alone })).whole.sentBefore).toEqual([]);
  });

  test("is not told once it is deleted there, nor of another image", async () => {
    const bytes = await draw();
    const first = await send(dentist, bytes, patient);
    const second = await send(dentist, bytes, patient);
    await portal.db
      .updateTable("referralFile")
      .set({ deletedAt: "2026-12-01T10:00:00.000Z" })
      .where("referralId", "=", first)
      .execute();
    expect(await told(admin, second)).toEqual([]);
    expect(await told(admin, await send(dentist, await draw(), patient))).toEqual([]);
  });

  test.runIf(dialect === "sqlite")("is found by its content's index", async () => {
    const [plan] = await plansOf(portal.db, (db) => findSameImages(db, admin, trustedReferral(1), ["a", "b"]));
    expect(plan!.steps.join()).toContain("stored_file_by_content");
    expect(plan!.steps.join()).not.toMatch(/SCAN (stored_file|referral)/);
  });
});
