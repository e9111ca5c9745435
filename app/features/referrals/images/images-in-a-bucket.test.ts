// @module-tag matrix
// @module-tag swift
import { readdirSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { purgeDueFiles } from "~/features/maintenance/operations.server";
import { readShell } from "~/features/shell/read-shell.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { toMoment } from "~/text/dates";
import { type CuttingProxy, startCuttingProxy } from "../../../../tests/support/peers/cutting-proxy";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aRadiograph } from "../../../../tests/factories/radiographs";
import { aReferral } from "../../../../tests/factories/referrals";
import { makeBucket, type TestBucket } from "../../../../tests/support/peers/s3-bucket";
import { type RunningSwift, startSwift } from "../../../../tests/support/swift.mjs";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { unzip } from "../../../../tests/support/unzip";
import { downloadPreview, downloadRadiographs, downloadReferralFile } from "./download-referral-file.server";

let swift: RunningSwift;
beforeAll(async () => {
  swift = await startSwift();
});
afterAll(() => swift.stop());

forEachDatabase("images in a bucket", (dialect) => {
  let bucket: TestBucket;
  let proxy: CuttingProxy;
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;

  beforeAll(async () => {
    bucket = await makeBucket(swift);
    proxy = await startCuttingProxy(swift.port);
    portal = await createTestPortal(dialect, { env: bucket.env(proxy.origin) });
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(async () => {
    await portal.close();
    await proxy.close();
  });

  const filesOf = (referralId: number) => findFiles(portal.db, referralId as never);
  const read = async (file: { open(): Promise<Readable> | Readable }) => buffer(await file.open());
  const previewOf = async (referralId: number, fileId: number) => {
    const file = await portal.as(admin, downloadPreview, { referralId, fileId, size: "thumb" });
    return { mime: file.mime, bytes: await read(file) };
  };

  test("are stored, previewed, fetched alone and as a ZIP, and purged whole", async () => {
    const referralId = await aReferral(portal, dentist);
    const sent = [
      await aRadiograph(portal, dentist, referralId, "48.jpg"),
      await aRadiograph(portal, dentist, referralId, "scan.dcm", 4),
    ];
    const files = await filesOf(referralId);
    for (const [nth, { id: fileId }] of files.entries()) {
      const original = await portal.as(admin, downloadReferralFile, { referralId, fileId });
      expect((await read(original)).equals(sent[nth]!)).toBe(true);
      expect((await previewOf(referralId, fileId)).mime).toBe("image/jpeg");
    }
    const zip = unzip(await read(await portal.as(admin, downloadRadiographs, { referralId })));
    expect(zip.map(([, bytes]) => bytes.length)).toEqual(sent.map((bytes) => bytes.length));
    expect((await bucket.everything()).toSorted()).toEqual(
      files.map(({ storageKey }) => `files/${storageKey}`).toSorted(),
    );
    expect(readdirSync(portal.config.dataDir)).not.toContain("files");
    expect(readdirSync(path.join(portal.config.dataDir, "outgoing"))).toEqual([]);
    await portal.db
      .updateTable("storedFile")
      .set({ purgeAfter: toMoment(portal.clock.now()) })
      .execute();
    await purgeDueFiles(portal, portal.clock.now());
    expect(await bucket.everything()).toEqual([]);
  });

  test("with altered content are an error, never a picture", async () => {
    const referralId = await aReferral(portal, dentist);
    const right = await aRadiograph(portal, dentist, referralId, "48.jpg");
    const wrong = await aRadiograph(portal, dentist, referralId, "38.jpg");
    const { id: fileId, storageKey } = (await filesOf(referralId))[0]!;
    await bucket.overwrite(`files/${storageKey}`, wrong);
    const sheet = await previewOf(referralId, fileId);
    expect(sheet.mime).toBe("image/svg+xml");
    expect(sheet.bytes.toString()).toContain("er ikke, som den blev");
    await expect(read(await portal.as(admin, downloadReferralFile, { referralId, fileId }))).rejects.toMatchObject({
      name: "WrongContent",
    });
    await expect(read(await portal.as(admin, downloadRadiographs, { referralId }))).rejects.toMatchObject({
      name: "WrongContent",
    });
    await bucket.overwrite(`files/${storageKey}`, right);
    expect((await previewOf(referralId, fileId)).mime).toBe("image/jpeg");
  });

  test("are unavailable while the store is unreachable, and none is lost", async () => {
    const referralId = await aReferral(portal, dentist);
    await aRadiograph(portal, dentist, referralId, "48.jpg");
    const { id: fileId } = (await filesOf(referralId))[0]!;
    proxy.aim(1);
    proxy.cutAt(0);
    expect((await previewOf(referralId, fileId)).bytes.toString()).toContain("kan ikke nås");
    await expect(read(await portal.as(admin, downloadReferralFile, { referralId, fileId }))).rejects.toMatchObject({
      name: "StoreUnavailable",
    });
    await expect(aRadiograph(portal, dentist, referralId, "38.jpg")).rejects.toMatchObject({
      name: "StoreUnavailable",
    });
    // No partial ZIP is sent, and staff see a notice on every page until the store is back.
    await expect(
      Promise.resolve((await portal.as(admin, downloadRadiographs, { referralId })).open()),
    ).rejects.toMatchObject({
      name: "StoreUnavailable",
    });
    const isNotified = async (who: Person) =>
      (await portal.as(who, readShell, { userAgent: "", cookies: "" })).fileTrouble;
    expect([await isNotified(admin), await isNotified(dentist)]).toEqual(["away", null]);
    proxy.aim(swift.port);
    expect((await previewOf(referralId, fileId)).mime).toBe("image/jpeg");
    expect(await filesOf(referralId)).toHaveLength(1);
    expect(await isNotified(admin)).not.toBe("away");
  });
});
