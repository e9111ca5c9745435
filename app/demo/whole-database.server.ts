import { existsSync } from "node:fs";
import { link, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "~/config/config.server";

const DATABASE = "portal.db";
const MAKING = /^demo-(\d+)$/;

export const isSqlite = (config: Config) => config.databaseUrl === "";

/**
 * Creates database and files in a folder of their own and moves them into DATA_DIR once they are complete, the database
 * last: a process that is killed before that leaves no database, and the next one starts again. Does nothing if a
 * database exists.
 */
export async function makeWhole(config: Config, make: (config: Config) => Promise<unknown>): Promise<void> {
  const { dataDir } = config;
  const place = path.join(dataDir, DATABASE);
  if (!isSqlite(config) || existsSync(place)) return;
  await removeLeftOvers(dataDir);
  const folder = path.join(dataDir, `demo-${process.pid}`);
  try {
    await make({ ...config, dataDir: folder, fileStore: storeIn(config, folder) });
    const made = path.join(folder, DATABASE);
    await flush(made);
    // Another process may have been faster; its files are not mixed with these.
    if (existsSync(place)) return;
    await moveInto(dataDir, folder);
    // A write-ahead log that was left alone would be read into the new database.
    for (const suffix of ["-wal", "-shm"]) await rm(place + suffix, { force: true });
    await moveUnlessThere(made, place);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Files in DATA_DIR are made beside the database; in another folder or in a bucket they lie where they belong. */
function storeIn({ dataDir, fileStore }: Config, folder: string): Config["fileStore"] {
  if (!("folder" in fileStore)) return fileStore;
  const within = path.relative(dataDir, fileStore.folder);
  return within.startsWith("..") || path.isAbsolute(within) ? fileStore : { folder: path.join(folder, within) };
}

/** Removes the folders of processes that were killed. */
async function removeLeftOvers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir).catch(() => [])) {
    const pid = MAKING.exec(name)?.[1];
    if (pid !== undefined && !isAnothersProcess(Number(pid)))
      await rm(path.join(dataDir, name), { recursive: true, force: true });
  }
}

function isAnothersProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

/** Moves all but the database. */
async function moveInto(target: string, source: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    if (entry.name.startsWith(DATABASE)) continue;
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
    if (entry.isDirectory() && existsSync(to)) await moveInto(to, from);
    else await rename(from, to);
  }
}

/** A rename would take the place of a database that another process has made meanwhile. */
async function moveUnlessThere(made: string, place: string): Promise<void> {
  try {
    await link(made, place);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (code === "EEXIST") return;
    if (!["EPERM", "ENOTSUP", "EMLINK", "ENOSYS"].includes(code)) throw error;
    await rename(made, place);
  }
}

async function flush(file: string): Promise<void> {
  const opened = await open(file, "r");
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
