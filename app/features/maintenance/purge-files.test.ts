import { readdirSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { deleteDraft } from "~/features/drafts/operations.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";
import { addRadiographs } from "~/features/referrals/images/add-radiographs.server";
import { removeRadiograph } from "~/features/referrals/images/change-radiographs.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aDraft, aReferral } from "../../../tests/factories/referrals";
import { refusing } from "../../../tests/support/refusing-trigger";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { unhideFiles } from "~/features/referrals/store/referral-file-store.server";
import { findEditable } from "~/features/referrals/store/referral-store.server";
import { cleanLocalDisk, duePrefixes, purgeFiles, removeStrays } from "./operations.server";

forEachDatabase("maintenance of files", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  beforeEach(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterEach(() => portal.close());

  const system = { kind: "system", job: "test" } as const;
  const tidy = () => portal.as(system, purgeFiles, {});
  const onDisk = () =>
    readdirSync(path.join(portal.config.dataDir, "files"), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    ).length;

  async function draftWithImage(): Promise<number> {
    const referralId = await aDraft(portal, dentist);
    const file = path.join(portal.config.dataDir, "arriving");
    await writeFile(file, await drawRadiograph({ type: 0, format: "jpg", seed: 5 }));
    const result = await storeUpload(portal, file, "48.jpg", "radiograph", { requestedBy: "test" });
    if ("refused" in result) throw new Error(result.refused);
    await portal.as(dentist, stageUploads, {
      formKey: "k",
      files: [{ ...result.accepted, field: "radiographs", kind: "radiograph" }],
    });
    await portal.as(dentist, addRadiographs, { referralId, formKey: "k", radiographType: 0 });
    return referralId;
  }

  test("a detached image stays on the disk until its retention period has passed", async () => {
    const referralId = await draftWithImage();
    const { id } = await portal.db.selectFrom("referralFile").select("id").executeTakeFirstOrThrow();
    await portal.as(dentist, removeRadiograph, { referralId, fileId: id });
    portal.clock.advance({ days: 29 });
    await tidy();
    expect(onDisk()).toBe(1);
    portal.clock.advance({ days: 2 });
    await tidy();
    expect([onDisk(), await portal.db.selectFrom("storedFile").select("id").execute()]).toEqual([0, []]);
  });

  test("a draft and a file that cannot be purged stop no other", async () => {
    const [stuck, gone] = [await aDraft(portal, dentist), await draftWithImage()];
    for (const referralId of [stuck, gone]) await portal.as(dentist, deleteDraft, { referralId });
    portal.clock.advance({ days: 31 });
    const mend = await refusing(portal, "delete", "referral", `old.id = ${stuck}`);
    await expect(tidy()).rejects.toThrow("1 pieces of maintenance failed");
    const left = () => portal.db.selectFrom("referral").select("id").execute();
    expect([await left(), onDisk()]).toEqual([[{ id: stuck }], 0]);
    await mend();
    await tidy();
    expect(await left()).toEqual([]);
  });

  test("a deleted draft is purged with its files after its retention period", async () => {
    const email = "patient@eksempel.dk";
    const accepted = await aDraft(portal, dentist, { email, emailConfirm: email });
    const gone = await draftWithImage();
    const patients = async () => (await portal.db.selectFrom("patient").select("id").execute()).length;
    const before = await patients();
    await portal.as(dentist, deleteDraft, { referralId: gone });
    portal.clock.advance({ days: 31 });
    await tidy();
    const left = await portal.db.selectFrom("referral").select("id").execute();
    expect([left.map(({ id }) => id), onDisk(), await patients()]).toEqual([[accepted], 0, before - 1]);
    expect(
      await portal.db.selectFrom("referralNameToken").select("referralId").where("referralId", "=", gone).execute(),
    ).toEqual([]);
  });

  test("a sent referral is not purged, even when it is marked as deleted", async () => {
    const referralId = await aReferral(portal, dentist);
    await portal.db.updateTable("referral").set({ deletedAt: "2026-12-01T09:00:00.000Z" }).execute();
    portal.clock.advance({ days: 31 });
    await tidy();
    expect(await portal.db.selectFrom("referral").select("id").execute()).toEqual([{ id: referralId }]);
  });

  test("removes files without a row after a day, and no others", async () => {
    await draftWithImage();
    const put = () => portal.files.put(Readable.from([Buffer.from("left behind")]));
    const strays = [await put(), await put()];
    // Parts of an unfinished upload are stored under its id before any row refers to them.
    const arriving = await put();
    await portal.db
      .insertInto("partialUpload")
      .values({
        id: arriving,
        ownerId: dentist.id,
        referralId: 1,
        radiographType: 0,
        fileName: "48.jpg",
        sizeBytes: 11,
        lastModified: 0,
        state: "arriving",
        refusal: null,
        referralFileId: null,
        createdAt: "2026-12-01T09:00:00.000Z",
      })
      .execute();
    const all = Array.from({ length: 256 }, (_, nth) => nth.toString(16).padStart(2, "0"));
    const [lately, later] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];

    expect([await removeStrays(portal, lately, all), onDisk()]).toEqual([0, 4]);
    expect(
      await removeStrays(
        portal,
        later,
        all.filter((prefix) => !strays.some((key) => key.startsWith(prefix))),
      ),
    ).toBe(0);
    expect([await removeStrays(portal, later, all), onDisk()]).toEqual([2, 2]);
    await expect(portal.files.size(arriving)).resolves.toBe(11);
    expect(await removeStrays(portal, later, all)).toBe(0);
  });

  test("the job checks the whole store within a day", () => {
    const seen = new Set<string>();
    for (let minute = 0; minute < 1440; minute += 19)
      duePrefixes(new Date(Date.UTC(2026, 10, 22, 0, minute))).forEach((prefix) => seen.add(prefix));
    expect(seen.size).toBe(256);
    expect(duePrefixes(new Date(Date.UTC(2026, 10, 22, 9, 0))).length).toBeLessThan(6);
  });

  test("an unclaimed upload is removed after a day, bytes and rows", async () => {
    const file = path.join(portal.config.dataDir, "arriving");
    await writeFile(file, "navn;by\r\n");
    const result = await storeUpload(portal, file, "liste.csv", "journal", { requestedBy: "test" });
    if ("refused" in result) throw new Error(result.refused);
    await portal.as(dentist, stageUploads, {
      formKey: "k",
      files: [{ ...result.accepted, field: "journal", kind: "journal" }],
    });
    portal.clock.advance({ hours: 23 });
    await tidy();
    expect(onDisk()).toBe(1);
    portal.clock.advance({ hours: 2 });
    await tidy();
    expect([
      onDisk(),
      await portal.db.selectFrom("stagedUpload").select("id").execute(),
      await portal.db.selectFrom("storedFile").select("id").execute(),
    ]).toEqual([0, [], []]);
  });

  test("a file that is due can no longer be restored while its bytes are removed", async () => {
    const referralId = await draftWithImage();
    const { id } = await portal.db.selectFrom("referralFile").select("id").executeTakeFirstOrThrow();
    await portal.as(dentist, removeRadiograph, { referralId, fileId: id });
    const draft = await findEditable(portal.db, dentist, referralId);
    const unhideAt = (now: Date) => portal.db.transaction().execute((tx) => unhideFiles(tx, draft.id, [id], now));
    expect(await unhideAt(new Date(portal.clock.now().getTime() + 30 * 86_400_000))).toBe(false);
    expect(await unhideAt(new Date(portal.clock.now().getTime() + 29 * 86_400_000))).toBe(true);
  });

  test("removes what a killed upload left behind after a day, and not before", async () => {
    const folder = path.join(portal.config.dataDir, "incoming");
    await mkdir(folder, { recursive: true });
    for (const [name, hoursOld] of [
      ["old", 25],
      ["new", 23],
    ] as const) {
      await writeFile(path.join(folder, name), "half");
      const touched = new Date(portal.clock.now().getTime() - hoursOld * 3_600_000);
      await utimes(path.join(folder, name), touched, touched);
    }
    await portal.as(system, cleanLocalDisk, {});
    expect(readdirSync(folder)).toEqual(["new"]);
  });

  test("each machine forgets the previews of files that another has purged", async () => {
    await draftWithImage();
    const { sha256 } = await portal.db.selectFrom("storedFile").select("sha256").executeTakeFirstOrThrow();
    const gone = "ab".repeat(32);
    const previews = path.join(portal.config.dataDir, "previews");
    for (const hash of [sha256, gone]) {
      await mkdir(path.join(previews, hash.slice(0, 2), hash), { recursive: true });
      await writeFile(path.join(previews, hash.slice(0, 2), hash, "thumb.3.jpg"), "x");
    }
    await portal.as(system, cleanLocalDisk, {});
    const left = readdirSync(previews, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jpg"));
    expect(left).toEqual([path.join(sha256.slice(0, 2), sha256, "thumb.3.jpg")]);
  });
});
