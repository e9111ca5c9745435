import { z } from "zod";
import { subDays } from "date-fns";
import { external } from "~/access/operation.server";
import type { Db } from "~db/connection.server";
import { isBackupRunning } from "~/features/copies/copy-state.server";
import type { FileStore } from "~/gateways/file-store/port";
import { findKnownKeys } from "./store.server";

/** Keys per query. */
const BATCH_SIZE = 500;
const PREFIXES = 256;
const DAY_MINUTES = 1440;
/** Twice the job's interval, so that a late round skips nothing. */
const ROUND_MINUTES = 20;

/** Removes stray files from the part of the store whose turn it is. */
export const removeStrayFiles = external({
  name: "removeStrayFiles",
  permission: "system",
  input: z.object({}),
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

/** The part of the store for this round; a day covers all of it. */
export function duePrefixes(now: Date): string[] {
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
  const from = Math.floor((minute * PREFIXES) / DAY_MINUTES);
  const to = Math.ceil(((minute + ROUND_MINUTES) * PREFIXES) / DAY_MINUTES);
  return Array.from({ length: to - from }, (_, nth) => ((from + nth) % PREFIXES).toString(16).padStart(2, "0"));
}
