import { readdirSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { drawRadiograph } from "~db/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { deleteDraft } from "~/features/drafts/delete-draft.server";
import { holdUploads } from "~/features/images/held-uploads.server";
import { keepFile } from "~/features/images/keep-file.server";
import { addRadiographs } from "~/features/referrals/add-radiographs.server";
import { removeRadiograph } from "~/features/referrals/change-radiographs.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aDraft } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { removeExpired } from "./remove-expired.server";

forEachDatabase("upkeep of files", (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  beforeEach(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterEach(() => portal.close());

  const tidy = () => portal.as({ kind: "system", job: "test" }, removeExpired, {});
  const onDisk = () => readdirSync(path.join(portal.config.dataDir, "files"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

  async function draftWithImage(): Promise<number> {
    const referralId = await aDraft(portal, dentist);
    const file = path.join(portal.config.dataDir, "arriving");
    await writeFile(file, await drawRadiograph({ type: 0, format: "jpg", seed: 5 }));
    const result = await keepFile(portal, file, "48.jpg", "radiograph");
    if ("refused" in result) throw new Error(result.refused);
    await portal.as(dentist, holdUploads, { formKey: "k", files: [{ ...result.kept, field: "radiographs", kind: "radiograph" }] });
    await portal.as(dentist, addRadiographs, { referralId, formKey: "k", radiographType: 0 });
    return referralId;
  }

  test("an image that was taken off stays on the disk until its days have run out", async () => {
    const referralId = await draftWithImage();
    const { id } = await portal.db.selectFrom("referral_file").select("id").executeTakeFirstOrThrow();
    await portal.as(dentist, removeRadiograph, { referralId, fileId: id });
    portal.clock.advance({ days: 29 });
    await tidy();
    expect(onDisk()).toBe(1);
    portal.clock.advance({ days: 2 });
    await tidy();
    expect([onDisk(), await portal.db.selectFrom("stored_file").select("id").execute()]).toEqual([0, []]);
  });

  test("a deleted draft goes after its days, with its files, and no living one does", async () => {
    const [gone, kept] = [await draftWithImage(), await aDraft(portal, dentist)];
    await portal.as(dentist, deleteDraft, { referralId: gone });
    portal.clock.advance({ days: 31 });
    await tidy();
    const left = await portal.db.selectFrom("referral").select("id").execute();
    expect([left.map(({ id }) => id), onDisk()]).toEqual([[kept], 0]);
    expect(await portal.db.selectFrom("referral_name_token").select("referral_id").where("referral_id", "=", gone).execute()).toEqual([]);
  });

  test("what a killed upload left behind is removed after a day, and not before", async () => {
    const folder = path.join(portal.config.dataDir, "incoming");
    await mkdir(folder, { recursive: true });
    for (const [name, hoursOld] of [["old", 25], ["new", 23]] as const) {
      await writeFile(path.join(folder, name), "half");
      const touched = new Date(portal.clock.now().getTime() - hoursOld * 3_600_000);
      await utimes(path.join(folder, name), touched, touched);
    }
    await tidy();
    expect(readdirSync(folder)).toEqual(["new"]);
  });
});
