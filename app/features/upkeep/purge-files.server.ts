import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Db } from "~db/connection.server";
import { inTransaction } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";

const AT_ONCE = 200;

/**
 * Takes files off the disk whose time has run out: deletion is two-step, hidden at once and purged after FILE_PURGE_DAYS
 * (design/decisions.md, Files). First the rows, so that nobody finds them any more, then the bytes and their previews.
 */
export async function purgeFiles({ db, files, previews }: Portal, now: Date): Promise<void> {
  const due = await db
    .selectFrom("stored_file")
    .select(["id", "storage_key", "sha256"])
    .where("purge_after", "<=", toMoment(now))
    .limit(AT_ONCE)
    .execute();
  for (const file of due) {
    await inTransaction(db, async (tx) => {
      await tx.deleteFrom("referral_file").where("stored_file_id", "=", file.id).execute();
      await tx.deleteFrom("stored_file").where("id", "=", file.id).execute();
    });
    await files.remove(file.storage_key);
    // The same picture may have been sent with another referral, whose preview is the same file.
    const twin = await db.selectFrom("stored_file").select("id").where("sha256", "=", file.sha256).limit(1).executeTakeFirst();
    if (!twin) await previews.forget(file.sha256);
  }
}

/** Drafts that were deleted before `olderThan` are gone for good; their files are purged with the next round. */
export async function purgeDeletedDrafts(db: Db, olderThan: string, now: Date): Promise<void> {
  const due = await db.selectFrom("referral").select("id").where("deleted_at", "<", olderThan).limit(AT_ONCE).execute();
  for (const { id } of due) {
    await inTransaction(db, async (tx) => {
      const fileIds = tx.selectFrom("referral_file").select("stored_file_id").where("referral_id", "=", id);
      await tx.updateTable("stored_file").set({ purge_after: toMoment(now) }).where("id", "in", fileIds).execute();
      for (const table of ["referral_name_token", "typed_input", "visit_log"] as const) {
        await tx.deleteFrom(table).where("referral_id", "=", id).execute();
      }
      await tx.deleteFrom("referral").where("id", "=", id).execute();
    });
  }
}

/** What an upload left behind whose process was killed in the middle. */
export async function removeHalfUploads(dataDir: string, olderThan: Date): Promise<void> {
  const folder = path.join(dataDir, "incoming");
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found && found.mtime < olderThan) await rm(file, { force: true });
  }
}
