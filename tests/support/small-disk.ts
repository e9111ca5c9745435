import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "libsql";

export interface SmallDisk {
  folder: string;
  /**
   * Fills the disk; returns the function that frees it. @param dataDir of a portal on SQLite, whose WAL is emptied
   * first so that it cannot reuse its space
   */
  fill(dataDir: string): () => void;
  remove(): void;
}

/** A small disk in memory; null where mounting is not allowed. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(path.join(os.tmpdir(), "portal-disk-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  const filler = path.join(folder, "filler");
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    return null;
  }
  return {
    folder,
    fill(dataDir) {
      const database = new Database(path.join(dataDir, "portal.db"), { timeout: 5_000 });
      const file = openSync(filler, "w");
      try {
        database.exec("pragma wal_checkpoint(truncate)");
        for (const size of [1024 * 1024, 4096]) writeUntilFull(file, Buffer.alloc(size, 1));
      } finally {
        closeSync(file);
        database.close();
      }
      return () => rmSync(filler);
    },
    remove() {
      spawnSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    while (writeSync(file, chunk) === chunk.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
