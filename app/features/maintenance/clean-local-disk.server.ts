import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { subDays } from "date-fns";
import { z } from "zod";
import { external } from "~/access/operation.server";
import { findKnownHashes } from "./purged-file-store.server";

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
