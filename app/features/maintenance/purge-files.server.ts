import { z } from "zod";
import { subDays } from "date-fns";
import { external } from "~/access/operation.server";
import { inTransaction } from "~db/connection.server";
import { isBackupRunning } from "~/features/copies/copy-state.server";
import { discardUnclaimedUploads } from "~/files/staging/staged-upload-store.server";
import { removeAbandonedUploads } from "~/files/staging/ended-upload-store.server";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import { purgeDraft, findDeletedDrafts } from "./deleted-draft-store.server";
import { eachByItself } from "./each-by-itself.server";
import { deleteStoredFile, findFilesDue, hasDuplicate } from "./purged-file-store.server";

const MAX_PER_RUN = 200;

/**
 * Deletes files that are not needed any more: uploads that no form claimed or that nothing came to in 24 hours, and files and drafts that were
 * deleted FILE_PURGE_DAYS ago.
 */
export const purgeFiles = external({
  name: "purgeFiles",
  permission: "system",
  input: z.object({}),
  async prepare({ portal, db, now }) {
    // What is being copied must still be there.
    if (await isBackupRunning(db, now)) return;
    const { files, config } = portal;
    const yesterday = subDays(now, 1);
    const steps = [
      () => discardUnclaimedUploads(db, toMoment(yesterday), now),
      () => purgeDeletedDrafts(portal, subDays(now, config.filePurgeDays), now),
      () => removeAbandonedUploads({ db, files }, yesterday),
      () => purgeDueFiles(portal, now),
    ];
    await eachByItself(portal.log, steps, (step) => step());
  },
  run: async () => ({}),
});

/**
 * Removes files whose time has run out: deletion is two-step, hidden at once and purged after FILE_PURGE_DAYS. The bytes and
 * their previews on this machine first, then the rows: an interrupted run finds the rows again and continues. A file that is due cannot be restored.
 */
export async function purgeDueFiles({ db, files, previews, log }: Portal, now: Date): Promise<void> {
  await eachByItself(log, await findFilesDue(db, now, MAX_PER_RUN), async (file) => {
    await files.remove(file.storage_key);
    // The same picture may have been sent with another referral, whose preview is the same file.
    if (!(await hasDuplicate(db, file))) await previews.invalidate(file.sha256);
    await inTransaction(db, (tx) => deleteStoredFile(tx, file.id));
  });
}

/** Drafts that were deleted before `olderThan` are gone for good; their files are purged with the next round. */
async function purgeDeletedDrafts({ db, log }: Portal, olderThan: Date, now: Date): Promise<void> {
  await eachByItself(log, await findDeletedDrafts(db, olderThan, MAX_PER_RUN), (id) =>
    inTransaction(db, (tx) => purgeDraft(tx, id, now)),
  );
}
