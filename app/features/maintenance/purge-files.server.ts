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

/** Purges files: uploads unclaimed or silent for 24 hours, and files and drafts deleted FILE_PURGE_DAYS ago. */
export const purgeFiles = external({
  name: "purgeFiles",
  permission: "system",
  input: z.object({}),
  async prepare({ portal, db, now }) {
    // Files being copied must stay.
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
 * Purges due files (hidden first, purged after FILE_PURGE_DAYS): bytes and local previews first, then rows, so that an
 * interrupted run continues. A due file cannot be restored.
 */
export async function purgeDueFiles({ db, files, previews, log }: Portal, now: Date): Promise<void> {
  await eachByItself(log, await findFilesDue(db, now, MAX_PER_RUN), async (file) => {
    await files.remove(file.storage_key);
    // Another file with the same bytes shares the preview.
    if (!(await hasDuplicate(db, file))) await previews.invalidate(file.sha256);
    await inTransaction(db, (tx) => deleteStoredFile(tx, file.id));
  });
}

/** Purges drafts deleted before `olderThan`; their files go in the next round. */
async function purgeDeletedDrafts({ db, log }: Portal, olderThan: Date, now: Date): Promise<void> {
  await eachByItself(log, await findDeletedDrafts(db, olderThan, MAX_PER_RUN), (id) =>
    inTransaction(db, (tx) => purgeDraft(tx, id, now)),
  );
}
