import { expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import type { Operation } from "~/access/operation.server";
import { purgeFiles } from "~/features/maintenance/operations.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { findParts } from "~/files/staging/upload-part-store.server";
import { storeParts } from "~/files/staging/upload-parts.server";
import { FileNotInStore } from "~/gateways/file-store/port";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aReferral } from "../../../../tests/factories/referrals";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { uploadPortal } from "../../../../tests/support/portals/upload-portal";
import { finishRadiographUpload } from "./finish-upload.server";
import { cancelUpload, readRadiographUpload, setUploadType } from "./upload-radiograph.server";

forEachDatabase("images that arrive in parts", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let picture: Buffer;
  const { begin, arrive, hasParts, storeUnrecorded, stepThree, wizard } = uploadPortal(dialect, (given) => {
    ({ portal, dentist, picture } = given);
  });

  async function lastAudited(operation: string): Promise<number[]> {
    const row = await portal.db
      .selectFrom("auditEvent")
      .select("id")
      .where("operation", "=", operation)
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    const rows = await portal.db
      .selectFrom("auditReferral")
      .select("referralId")
      .where("auditEventId", "=", row.id)
      .execute();
    return rows.map(({ referralId: id }) => id);
  }

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
    const secretary = await aPerson(portal, { role: "Secretary", clinicIds: dentist.clinicIds });
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

  test("the type may be changed during and after the upload, to one that fits", async () => {
    const referralId = await stepThree();
    const uploadId = await begin(referralId);
    await portal.as(dentist, setUploadType, { uploadId, radiographType: 1 });
    expect(await lastAudited("setUploadType")).toEqual([referralId]);
    await expect(portal.as(dentist, setUploadType, { uploadId, radiographType: 4 })).rejects.toMatchObject({
      name: "fileRefused",
    });
    await portal.as(dentist, finishRadiographUpload, { uploadId });
    expect((await wizard(referralId)).images[0]?.type).toBe(1);
    await portal.as(dentist, setUploadType, { uploadId, radiographType: 3 });
    expect((await wizard(referralId)).images[0]?.type).toBe(3);
  });

  test("a changed type in a sent referral raises its version and is logged", async () => {
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
            .selectFrom("visitLog")
            .select("event")
            .where("referralId", "=", referralId)
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

  test("an unfinished upload blocks sending; another way of sending discards it", async () => {
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

  test("removes the parts of an abandoned upload, keeps those of an image", async () => {
    const referralId = await stepThree();
    const [abandoned, cancelled, image] = [
      await begin(referralId),
      await begin(referralId),
      await begin(referralId, { bytes: await drawRadiograph({ type: 0, format: "jpg", seed: 14 }) }),
    ];
    for (const id of [abandoned, cancelled]) await storeUnrecorded(id);
    await portal.as(dentist, finishRadiographUpload, { uploadId: image });
    await arrive(image, Buffer.from("left behind"));
    const pieces = (await Promise.all([abandoned, cancelled, image].map((id) => findParts(portal.db, id)))).flat();
    await portal.db.deleteFrom("partialUpload").where("id", "=", cancelled).execute();
    portal.clock.advance({ hours: 30 });
    await portal.as({ kind: "system", job: "worker" }, purgeFiles, {});
    for (const id of [abandoned, cancelled, image]) expect(await hasParts(id)).toBe(false);
    for (const key of [abandoned, cancelled, ...pieces.map(({ storageKey }) => storageKey)])
      await expect(portal.files.size(key)).rejects.toBeInstanceOf(FileNotInStore);
    expect(await portal.files.size(image)).toBeGreaterThan(0);
  });

  test("removes an upload idle for a day, keeps one that still grows", async () => {
    const referralId = await stepThree();
    const [old, growing] = [await begin(referralId, { share: 0.5 }), await begin(referralId, { share: 0.6 })];
    portal.clock.advance({ hours: 30 });
    const { size } = (await findParts(portal.db, growing))[0]!;
    await arrive(growing, Buffer.from("more"), size);
    await portal.as({ kind: "system", job: "worker" }, purgeFiles, {});
    expect([await hasParts(old), await hasParts(growing)]).toEqual([false, true]);
    expect((await wizard(referralId)).unfinished.map(({ id }) => id)).toEqual([growing]);
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
