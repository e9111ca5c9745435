import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { execute, plainInput } from "~/access/operation.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { findParts } from "~/files/staging/upload-part-store.server";
import { PartConflict, storeParts } from "~/files/staging/upload-parts.server";
import { aPerson } from "../../../../tests/factories/people";
import { aReferral } from "../../../../tests/factories/referrals";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { uploadPortal } from "../../../../tests/support/portals/upload-portal";
import { finishRadiographUpload } from "./finish-upload.server";

forEachDatabase("images that arrive in parts", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let picture: Buffer;
  const { begin, hasParts, storeUnrecorded, stepThree, wizard } = uploadPortal(dialect, (given) => {
    ({ portal, dentist, picture } = given);
  });

  test("finishing an upload twice makes one image", async () => {
    const referralId = await stepThree();
    const uploadId = await begin(referralId, { type: 2 });
    const finish = () => portal.as(dentist, finishRadiographUpload, { uploadId });
    const first = await finish();
    expect(await finish()).toEqual(first);
    const { images, unfinished } = await wizard(referralId);
    expect(images.map(({ fileName, type }) => [fileName, type])).toEqual([["48.jpg", 2]]);
    expect(unfinished).toEqual([]);
    expect(await hasParts(uploadId)).toBe(false);
  });

  test("an upload survives a kill between store and commit: finishing attaches it", async () => {
    for (const finish of [(uploadId: string) => portal.as(dentist, finishRadiographUpload, { uploadId }), null]) {
      const referralId = await stepThree();
      const uploadId = await begin(referralId);
      await storeUnrecorded(uploadId);
      expect((await wizard(referralId)).unfinished).toMatchObject([{ id: uploadId, receivedBytes: picture.length }]);
      await finish?.(uploadId);
      await portal.as(dentist, sendReferral, { referralId, formKey: "", radiographsSendType: 0 });
      const kept = await portal.db
        .selectFrom("referralFile")
        .innerJoin("storedFile", "storedFile.id", "referralFile.storedFileId")
        .select(["storageKey", "fileName"])
        .where("referralId", "=", referralId)
        .execute();
      expect(kept).toEqual([{ storageKey: uploadId, fileName: "48.jpg" }]);
      expect(await portal.files.size(uploadId)).toBe(picture.length);
      expect(await hasParts(uploadId)).toBe(false);
    }
  });

  test("two concurrent uploads of the same picture attach it once", async () => {
    const referralId = await stepThree();
    const uploads = [await begin(referralId), await begin(referralId, { fileName: "kopi.jpg" })];
    const outcomes = await Promise.all(
      uploads.map((uploadId) => portal.as(dentist, finishRadiographUpload, { uploadId })),
    );
    expect(outcomes.filter(({ data: found }) => found?.refused === "Filen er allerede vedhæftet.")).toHaveLength(1);
    expect((await wizard(referralId)).images).toHaveLength(1);
  });

  test("of two processes that resume at one byte, one succeeds, one conflicts", async () => {
    const referralId = await stepThree();
    const uploadId = await begin(referralId, { share: 0.4 });
    const start = Math.floor(picture.length * 0.4);
    const other = await portal.reopened();
    const rest = picture.subarray(start);
    const ended = await Promise.allSettled([
      storeParts(portal, uploadId, Readable.from([rest.subarray(0, 1000)]), start),
      storeParts(other, uploadId, Readable.from([rest]), start),
    ]);
    expect(ended.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(ended.find(({ status }) => status === "rejected")).toMatchObject({
      reason: expect.any(PartConflict) as Error,
    });
    const { size } = (await findParts(portal.db, uploadId))[1]!;
    if (start + size < picture.length)
      await storeParts(other, uploadId, Readable.from([rest.subarray(size)]), start + size);
    const caller = { actor: dentist, site: "inside" as const, address: "203.0.113.7", sessionId: null };
    const finished = await Promise.all(
      [portal, other].map((each) => execute(each, caller, finishRadiographUpload, plainInput({ uploadId }))),
    );
    expect(finished[0]!.data).toEqual(finished[1]!.data);
    expect((await wizard(referralId)).images).toHaveLength(1);
    expect(await hasParts(uploadId)).toBe(false);
    await other.close();
  });

  test("a DICOM file that arrives under another type gets its own", async () => {
    const referralId = await stepThree();
    const bytes = await drawRadiograph({ type: 4, format: "dcm", seed: 15 });
    await portal.as(dentist, finishRadiographUpload, {
      uploadId: await begin(referralId, { fileName: "scan.dcm", bytes, type: 2 }),
    });
    expect((await wizard(referralId)).images.map(({ type }) => type)).toEqual([4]);
  });

  test("whoever sees a sent referral may add images to it, which is logged", async () => {
    const referralId = await aReferral(portal, dentist);
    const staff = await aPerson(portal, { role: "Surgeon" });
    await portal.as(dentist, finishRadiographUpload, { uploadId: await begin(referralId) });
    const another = await drawRadiograph({ type: 0, format: "jpg", seed: 12 });
    await portal.as(staff, finishRadiographUpload, {
      uploadId: await begin(referralId, { who: staff, bytes: another }),
    });
    const shown = await portal.as(staff, readReferral, { referralId });
    expect(JSON.stringify(shown).match(/Et røntgenbillede er tilføjet/g)).toHaveLength(2);
    const row = await portal.db
      .selectFrom("referral")
      .select(["status", "hasRadiographs"])
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ status: 0, hasRadiographs: true });
  });

  test("a DICOM of another patient is marked", async () => {
    const referralId = await stepThree();
    const dicom = await drawRadiograph({
      type: 4,
      format: "dcm",
      seed: 13,
      patient: { cpr: "620170-4321", firstName: "Åse", lastName: "Øst" },
    });
    await portal.as(dentist, finishRadiographUpload, {
      uploadId: await begin(referralId, { fileName: "anden.dcm", bytes: dicom, type: 4 }),
    });
    expect((await wizard(referralId)).whole.ofAnother).toEqual({ count: 1, names: ["anden.dcm"] });
  });
});
