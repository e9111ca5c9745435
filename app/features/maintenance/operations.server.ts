import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { subDays } from "date-fns";
import { z } from "zod";
import { removeOldEvents } from "~/access/audit-store.server";
import { removeFormKeys } from "~/access/idempotency-store.server";
import { removeOldAddresses } from "~/access/known-address-store.server";
import { external } from "~/access/operation.server";
import { removeExpiredSessions } from "~/access/sessions.server";
import { removeAttempts } from "~/access/throttle-store.server";
import { removeCacheChanges } from "~/cache/cache.server";
import { isBackupRunning } from "~/features/copies/copy-state.server";
import { removeEdi } from "~/features/edi/remove-edi.server";
import { removeMovedRows } from "~/features/merging/merging.server";
import { removeAbandonedUploads } from "~/files/staging/ended-upload-store.server";
import { discardUnclaimedUploads } from "~/files/staging/staged-upload-store.server";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import { inTransaction, type Tx } from "~db/connection.server";
import { eachByItself } from "./each-by-itself.server";
import { retention, type RetentionKey } from "./retention";
import {
  deleteStoredFile,
  findDeletedDrafts,
  findFilesDue,
  findKnownHashes,
  hasDuplicate,
  purgeDraft,
  removeAutosaves,
  removeImportPlans,
  removeLetterBatches,
  removeLinks,
  removeMassChanges,
  removeReceipts,
  removeTexts,
} from "./store.server";

/**
 * Deletes day-old leftovers on the local disk: partial uploads, and previews of purged files. Each process does so for
 * its own disk.
 */
export const cleanLocalDisk = external({
  name: "tidyMachine",
  permission: "system",
  input: z.object({}),
  async prepare({ portal: { config, files, previews }, db, now }) {
    const yesterday = subDays(now, 1);
    await removePartialFiles(config.dataDir, yesterday);
    await files.removeAbandoned(yesterday);
    await previews.invalidateUnknown((hashes) => findKnownHashes(db, hashes));
  },
  run: async () => ({}),
});

async function removePartialFiles(dataDir: string, olderThan: Date): Promise<void> {
  const folder = path.join(dataDir, "incoming");
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found && found.mtime < olderThan) await rm(file, { force: true });
  }
}

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

/** Cleanup tasks; each deletes rows older than its cut-off. */
const removals: Record<RetentionKey, (tx: Tx, before: Date) => Promise<void>> = {
  sessions: removeExpiredSessions,
  attempts: removeAttempts,
  cacheChanges: removeCacheChanges,
  importPlans: removeImportPlans,
  massChanges: removeMassChanges,
  formKeys: removeFormKeys,
  typedForms: removeAutosaves,
  merges: removeMovedRows,
  receipts: removeReceipts,
  networks: removeOldAddresses,
  edi: removeEdi,
  links: removeLinks,
  letterBatches: removeLetterBatches,
  texts: removeTexts,
  audit: removeOldEvents,
};

/**
 * Deletes expired rows, each kind after its days (`retention`) and in its own transaction; one that fails does not stop
 * the others.
 */
export const removeExpired = external({
  name: "removeExpired",
  permission: "system",
  input: z.object({}),
  async prepare({ db, now, portal }) {
    await eachByItself(portal.log, Object.keys(retention) as RetentionKey[], (key) =>
      inTransaction(db, (tx) => removals[key](tx, subDays(now, retention[key].days))),
    );
  },
  run: async () => ({}),
});
