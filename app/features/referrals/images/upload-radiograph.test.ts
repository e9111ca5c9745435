import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawRadiograph } from "~db/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { execute, type Operation, plainInput } from "~/access/operation.server";
import { findParts } from "~/files/staging/upload-part-store.server";
import { PartConflict, storeParts, withWholeUpload } from "~/files/staging/upload-parts.server";
import { FileNotInStore } from "~/gateways/file-store/port";
import { purgeFiles } from "~/features/maintenance/purge-files.server";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aDraft, aReferral } from "../../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { finishRadiographUpload } from "./finish-upload.server";
import { beginRadiographUpload, cancelUpload, readRadiographUpload, setUploadType } from "./upload-radiograph.server";

forEachDatabase("images that arrive in parts", (dialect) => {
  let portal: TestPortal;
  let clinicId: number;
  let dentist: Person;
  let picture: Buffer;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    clinicId = await aClinic(portal);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [clinicId] });
    picture = await drawRadiograph({ type: 0, format: "jpg", seed: 11 });
  });
  afterAll(() => portal.close());

  let count = 0;
  async function begin(
    referralId: number,
    {
      who = dentist,
      fileName = "48.jpg",
      bytes = picture,
      share = 1,
      type = 0,
      formKey = `upload-key-${++count}`,
    } = {},
  ): Promise<string> {
    const { to } = await portal.as(who, beginRadiographUpload, {
      referralId,
      formKey,
      radiographType: type,
      fileName,
      sizeBytes: bytes.length,
      lastModified: 1,
    });
    const uploadId = to!.split("/").at(-1)!;
    if ((await findParts(portal.db, uploadId)).length === 0)
      await arrive(uploadId, bytes.subarray(0, Math.floor(bytes.length * share)));
    return uploadId;
  }

  const arrive = (uploadId: string, bytes: Buffer, start = 0) =>
    storeParts(portal, uploadId, Readable.from([bytes]), start);
  const hasParts = async (uploadId: string) => (await findParts(portal.db, uploadId)).length > 0;
  /** What a killed process leaves: the store has it, no row says so. */
  const storeUnrecorded = (uploadId: string) =>
    withWholeUpload(portal, uploadId, (whole) => portal.files.copyAs(whole, uploadId));

  async function stepThree(): Promise<number> {
    const referralId = await aDraft(portal, dentist);
    await portal.as(dentist, saveReferrer, { referralId });
    return referralId;
  }

  async function wizard(referralId: number, who = dentist) {
    const read = await portal.as(who, readWizard, { referralId, step: 3 });
    if ("redirectTo" in read) throw new Error("not a draft");
    return read;
  }

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

  test("an upload survives a server that is killed between the store and the commit: finishing it again, or sending, attaches it", async () => {
    for (const finish of [(uploadId: string) => portal.as(dentist, finishRadiographUpload, { uploadId }), null]) {
      const referralId = await stepThree();
      const uploadId = await begin(referralId);
      await storeUnrecorded(uploadId);
      expect((await wizard(referralId)).unfinished).toMatchObject([{ id: uploadId, receivedBytes: picture.length }]);
      await finish?.(uploadId);
      await portal.as(dentist, sendReferral, { referralId, formKey: "", radiographsSendType: 0 });
      const kept = await portal.db
        .selectFrom("referral_file")
        .innerJoin("stored_file", "stored_file.id", "referral_file.stored_file_id")
        .select(["storage_key", "file_name"])
        .where("referral_id", "=", referralId)
        .execute();
      expect(kept).toEqual([{ storage_key: uploadId, file_name: "48.jpg" }]);
      expect(await portal.files.size(uploadId)).toBe(picture.length);
      expect(await hasParts(uploadId)).toBe(false);
    }
  });

  test("removes the parts of an upload that is never finished, and keeps those of an image", async () => {
    const referralId = await stepThree();
    const [abandoned, cancelled, image] = [
      await begin(referralId),
      await begin(referralId),
      await begin(referralId, { bytes: await drawRadiograph({ type: 0, format: "jpg", seed: 14 }) }),
    ];
    for (const id of [abandoned, cancelled]) await storeUnrecorded(id);
    await portal.as(dentist, finishRadiographUpload, { uploadId: image });
    // Killed after the commit, before the pieces were removed.
    await arrive(image, Buffer.from("left behind"));
    const pieces = (await Promise.all([abandoned, cancelled, image].map((id) => findParts(portal.db, id)))).flat();
    await portal.db.deleteFrom("partial_upload").where("id", "=", cancelled).execute();
    portal.clock.advance({ hours: 30 });
    await portal.as({ kind: "system", job: "worker" }, purgeFiles, {});
    for (const id of [abandoned, cancelled, image]) expect(await hasParts(id)).toBe(false);
    for (const key of [abandoned, cancelled, ...pieces.map(({ storageKey }) => storageKey)])
      await expect(portal.files.size(key)).rejects.toBeInstanceOf(FileNotInStore);
    expect(await portal.files.size(image)).toBeGreaterThan(0);
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

  test("beginning an upload twice with one key makes one upload", async () => {
    const referralId = await stepThree();
    const [first, second] = [
      await begin(referralId, { formKey: "the-same-key" }),
      await begin(referralId, { formKey: "the-same-key" }),
    ];
    expect(second).toBe(first);
  });

  test("does not finish an incomplete upload, and lists its progress", async () => {
    const referralId = await stepThree();
    const uploadId = await begin(referralId, { share: 0.5 });
    await expect(portal.as(dentist, finishRadiographUpload, { uploadId })).rejects.toMatchObject({
      name: "uploadBroken",
    });
    expect((await wizard(referralId)).unfinished).toEqual([
      {
        id: uploadId,
        fileName: "48.jpg",
        sizeBytes: picture.length,
        lastModified: 1,
        type: 0,
        receivedBytes: Math.floor(picture.length / 2),
      },
    ]);
  });

  test("an upload belongs to its owner only, also where others see the draft", async () => {
    const referralId = await stepThree();
    const uploadId = await begin(referralId, { share: 0.5 });
    const admin = await aPerson(portal, { role: "Admin" });
    const secretary = await aPerson(portal, { role: "Secretary", clinicIds: [clinicId] });
    const stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    for (const who of [admin, secretary, stranger]) {
      for (const operation of [readRadiographUpload, finishRadiographUpload, cancelUpload] as Operation<
        { uploadId: string },
        unknown
      >[]) {
        await expect(
          portal.as(who, operation, { uploadId }),
          `${who.roles[0]} ${operation.name}`,
        ).rejects.toMatchObject({ name: "notInScope" });
      }
      await expect(portal.as(who, setUploadType, { uploadId, radiographType: 1 })).rejects.toMatchObject({
        name: "notInScope",
      });
    }
    expect((await wizard(referralId, admin)).unfinished).toEqual([]);
  });

  test("the type may be changed during and after the upload, to one that accepts the file", async () => {
    const referralId = await stepThree();
    const uploadId = await begin(referralId);
    await portal.as(dentist, setUploadType, { uploadId, radiographType: 1 });
    await expect(portal.as(dentist, setUploadType, { uploadId, radiographType: 4 })).rejects.toMatchObject({
      name: "fileRefused",
    });
    await portal.as(dentist, finishRadiographUpload, { uploadId });
    expect((await wizard(referralId)).images[0]?.type).toBe(1);
    await portal.as(dentist, setUploadType, { uploadId, radiographType: 3 });
    expect((await wizard(referralId)).images[0]?.type).toBe(3);
  });

  test("a DICOM file that arrives under another type gets its own", async () => {
    const referralId = await stepThree();
    const bytes = await drawRadiograph({ type: 4, format: "dcm", seed: 15 });
    await portal.as(dentist, finishRadiographUpload, {
      uploadId: await begin(referralId, { fileName: "scan.dcm", bytes, type: 2 }),
    });
    expect((await wizard(referralId)).images.map(({ type }) => type)).toEqual([4]);
  });

  test("changing the type of an image of a sent referral raises its version and is logged", async () => {
    const referralId = await aReferral(portal, dentist);
    const uploadId = await begin(referralId);
    await portal.as(dentist, finishRadiographUpload, { uploadId });
    const state = async () => {
      const { version } = await portal.db
        .selectFrom("referral")
        .select("version")
        .where("id", "=", referralId)
        .executeTakeFirstOrThrow();
      return {
        version,
        log: (
          await portal.db
            .selectFrom("visit_log")
            .select("event")
            .where("referral_id", "=", referralId)
            .orderBy("id")
            .execute()
        ).at(-1)?.event,
      };
    };
    const { version } = await state();
    for (let press = 0; press < 2; press += 1) await portal.as(dentist, setUploadType, { uploadId, radiographType: 3 });
    expect(await state()).toEqual({
      version: version + 1,
      log: expect.stringMatching(/har fået billedtypen Cephalostat$/),
    });
  });

  test("an unfinished upload blocks sending; choosing another way than uploading discards it", async () => {
    const referralId = await stepThree();
    const uploadId = await begin(referralId, { fileName: "CBCT.jpg", share: 0.3 });
    const send = (radiographsSendType: number) =>
      portal.as(dentist, sendReferral, { referralId, formKey: "", radiographsSendType });
    await expect(send(0)).rejects.toMatchObject({
      name: "uploadUnfinished",
      text: "CBCT.jpg er kun halvt uploadet. Vælg filen igen for at fortsætte, eller fjern den.",
    });
    await send(1);
    await expect(portal.as(dentist, readRadiographUpload, { uploadId })).rejects.toMatchObject({ name: "notInScope" });
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
      .select(["status", "has_radiographs"])
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ status: 0, has_radiographs: 1 });
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
    expect((await wizard(referralId)).images).toMatchObject([{ fileName: "anden.dcm", isOfAnother: true }]);
  });

  test("removes an upload that has received nothing for a day, and keeps one that still grows", async () => {
    const referralId = await stepThree();
    const [old, growing] = [await begin(referralId, { share: 0.5 }), await begin(referralId, { share: 0.6 })];
    portal.clock.advance({ hours: 30 });
    const { size } = (await findParts(portal.db, growing))[0]!;
    await arrive(growing, Buffer.from("more"), size);
    await portal.as({ kind: "system", job: "worker" }, purgeFiles, {});
    expect([await hasParts(old), await hasParts(growing)]).toEqual([false, true]);
    expect((await wizard(referralId)).unfinished.map(({ id }) => id)).toEqual([growing]);
  });

  test("of two processes that resume at the same byte one succeeds, and the other gets a conflict", async () => {
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
    // Both are asked to finish it, too.
    const caller = { actor: dentist, site: "inside" as const, address: "203.0.113.7", sessionId: null };
    const finished = await Promise.all(
      [portal, other].map((each) => execute(each, caller, finishRadiographUpload, plainInput({ uploadId }))),
    );
    expect(finished[0]!.data).toEqual(finished[1]!.data);
    expect((await wizard(referralId)).images).toHaveLength(1);
    expect(await hasParts(uploadId)).toBe(false);
    await other.close();
  });

  test("keeps the bytes received before the connection was cut, in parts of 8 MB", async () => {
    const referralId = await stepThree();
    const uploadId = await begin(referralId, { share: 0 });
    const megabyte = Buffer.alloc(1024 * 1024, 7);
    const cut = async function* () {
      for (let n = 0; n < 18; n += 1) yield megabyte;
      throw new Error("cut");
    };
    await expect(storeParts(portal, uploadId, cut(), 0)).rejects.toThrow("cut");
    expect(
      (await findParts(portal.db, uploadId)).map(({ start, size }) => [
        start / megabyte.length,
        size / megabyte.length,
      ]),
    ).toEqual([
      [0, 8],
      [8, 8],
      [16, 2],
    ]);
    await portal.as(dentist, cancelUpload, { uploadId });
    expect(await hasParts(uploadId)).toBe(false);
  });
});
