import type { Logger } from "pino";
import { type FileStore, StoreUnavailable } from "~/gateways/file-store/port";
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { subDays } from "date-fns";
import { removeOldEvents } from "~/access/audit-store.server";
import { removeFormKeys } from "~/access/idempotency-store.server";
import { external } from "~/access/operation.server";
import { removeExpiredSessions, removeOldAddresses } from "~/access/session-store.server";
import { removeAttempts } from "~/access/throttle-store.server";
import { removeCacheChanges } from "~/cache/cache.server";
import { isBackupRunning } from "~/features/copies/copy-mark-store.server";
import { removeEdi } from "~/features/edi/import-edi.server";
import { removeMovedRows } from "~/features/merging/moved-store.server";
import { removeAbandonedUploads } from "~/files/staging/upload-part-store.server";
import { discardUnclaimedUploads } from "~/files/staging/staged-upload-store.server";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import { type Db, inTransaction, type Tx } from "~db/connection.server";
import { retention, type RetentionKey } from "./retention";
import {
  deleteStoredFile,
  findDeletedDrafts,
  findFilesDue,
  findKnownHashes,
  findKnownKeys,
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
 * Performs each piece of work; one that fails is logged and the others continue. A file store that is down ends the
 * run. Throws at the end if one failed, so that the job counts as failed.
 */
async function eachByItself<T>(log: Logger, things: Iterable<T>, work: (thing: T) => Promise<unknown>): Promise<void> {
  let failures = 0;
  for (const thing of things) {
    try {
      await work(thing);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      log.error({ err: error }, "a piece of maintenance failed");
      failures += 1;
    }
  }
  if (failures > 0) throw new Error(`${failures} pieces of maintenance failed`);
}

/**
 * Deletes day-old leftovers on the local disk: partial uploads, and previews of purged files. Each process does so for
 * its own disk.
 */
export const cleanLocalDisk = external({
  name: "tidyMachine",
  permission: "system",
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
    await files.remove(file.storageKey);
    // Another file with the same bytes shares the preview.
    if (!(await hasDuplicate(db, file))) await previews.invalidate(file.sha256);
    await inTransaction(db, (tx) => deleteStoredFile(tx, file.id));
  });
}

async function purgeDeletedDrafts({ db, log }: Portal, olderThan: Date, now: Date): Promise<void> {
  await eachByItself(log, await findDeletedDrafts(db, olderThan, MAX_PER_RUN), (id) =>
    inTransaction(db, (tx) => purgeDraft(tx, id, now)),
  );
}

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
  async prepare({ db, now, portal }) {
    await eachByItself(portal.log, Object.keys(retention) as RetentionKey[], (key) =>
      inTransaction(db, (tx) => removals[key](tx, subDays(now, retention[key].days))),
    );
  },
  run: async () => ({}),
});

const BATCH_SIZE = 500;
const PREFIXES = 256;
const DAY_MINUTES = 1440;
/** Twice the job's interval, so that a late round skips nothing. */
const ROUND_MINUTES = 20;

/** Job: removes files older than a day that no row names. Does nothing while a backup runs. */
export const removeStrayFiles = external({
  name: "removeStrayFiles",
  permission: "system",
  async prepare({ portal, db, now }) {
    if (!(await isBackupRunning(db, now))) await removeStrays(portal, subDays(now, 1), duePrefixes(now));
  },
  run: async () => ({}),
});

/**
 * Removes files without a row, left by a process killed between storing and recording. Younger ones may still get a
 * row, and unfinished uploads are kept under their own id. @param prefixes of the keys to look at, two hex digits each,
 * because a store may hold millions
 */
export async function removeStrays(
  { db, files }: { db: Db; files: FileStore },
  olderThan: Date,
  prefixes: readonly string[],
): Promise<number> {
  let removed = 0;
  for (const prefix of prefixes) {
    let batch: string[] = [];
    for await (const key of files.list(prefix, olderThan)) {
      batch.push(key);
      if (batch.length < BATCH_SIZE) continue;
      removed += await removeUnknown(db, files, batch);
      batch = [];
    }
    removed += await removeUnknown(db, files, batch);
  }
  return removed;
}

async function removeUnknown(db: Db, files: FileStore, keys: string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const known = await findKnownKeys(db, keys);
  const strays = keys.filter((key) => !known.has(key));
  for (const key of strays) await files.remove(key);
  return strays.length;
}

export function duePrefixes(now: Date): string[] {
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
  const from = Math.floor((minute * PREFIXES) / DAY_MINUTES);
  const to = Math.ceil(((minute + ROUND_MINUTES) * PREFIXES) / DAY_MINUTES);
  return Array.from({ length: to - from }, (_, nth) => ((from + nth) % PREFIXES).toString(16).padStart(2, "0"));
}
