import { randomBytes } from "node:crypto";
import { link, mkdir, open, readdir, rename, rm, stat, statfs, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FileNotInStore, StoreFull, StoreUnavailable, type FileStore } from "./port";

export interface FolderStore extends FileStore {
  /** @throws FileNotInStore for an invalid key */
  pathOf(key: string): string;
}

/**
 * A file store in a folder. Files are written beside their place, flushed and renamed, so that a crash leaves all or
 * nothing. Two folder levels keep each small: ab/cd/abcd…. @param root absolute path; created if missing; @param isScratch
 * nothing is flushed
 */
export function createFolderStore(root: string, { isScratch = false } = {}): FolderStore {
  const incoming = join(root, "incoming");
  const toDisk = isScratch ? async () => {} : flush;

  function pathOf(key: string): string {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new FileNotInStore();
    return join(root, key.slice(0, 2), key.slice(2, 4), key);
  }

  async function place(written: string, key: string): Promise<void> {
    const path = pathOf(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(written, path);
    // Without this a power cut may lose the rename.
    await toDisk(dirname(path));
  }

  async function copyIn(source: AsyncIterable<Uint8Array>, key = newKey()): Promise<string> {
    const temporary = join(incoming, `${newKey()}.tmp`);
    try {
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      const file = await open(temporary, "wx", 0o600);
      try {
        for await (const chunk of source) await writeAll(file, chunk);
        if (!isScratch) await file.sync();
      } finally {
        await file.close();
      }
      await place(temporary, key);
      return key;
    } catch (error) {
      await rm(temporary, { force: true });
      throw namedIfFull(error);
    }
  }

  async function sizeOf(key: string): Promise<number> {
    try {
      return (await stat(pathOf(key))).size;
    } catch (error) {
      throw codeOf(error) === "ENOENT" ? new FileNotInStore() : error;
    }
  }

  return {
    pathOf,
    isRemote: false,
    findSetupError: async () => null,
    isAway: () => false,
    close: async () => {},

    put: (source) => copyIn(typeof source === "string" ? chunksOf(source) : source),

    async moveFromPath(path) {
      const key = newKey();
      try {
        await toDisk(path);
        await place(path, key);
        return key;
      } catch (error) {
        if (codeOf(error) !== "EXDEV") throw namedIfFull(error);
      }
      // Another disk, where a rename is impossible.
      const copied = await copyIn(chunksOf(path));
      await unlink(path);
      return copied;
    },

    async copyAs(path, key) {
      const target = pathOf(key);
      try {
        await toDisk(path);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await link(path, target);
        await toDisk(dirname(target));
      } catch (error) {
        const code = codeOf(error);
        if (code === "EEXIST") return;
        if (!["EXDEV", "EPERM", "ENOTSUP", "EMLINK"].includes(code ?? "")) throw namedIfFull(error);
        await copyIn(chunksOf(path), key);
      }
    },

    async openRead(key, range) {
      const path = pathOf(key);
      try {
        // Opened first: a missing file must become a 404, not an error during the download.
        const file = await open(path, "r");
        return file.createReadStream({ highWaterMark: 256 * 1024, ...range });
      } catch (error) {
        throw codeOf(error) === "ENOENT" ? new FileNotInStore() : error;
      }
    },

    async withLocalCopy(key, work) {
      await sizeOf(key);
      return work(pathOf(key));
    },

    size: sizeOf,

    async remove(key) {
      await rm(pathOf(key), { force: true });
    },

    async *list(prefix, before) {
      if (!/^[0-9a-f]{2}$/.test(prefix)) return;
      for (const folder of await readdir(join(root, prefix)).catch(() => [])) {
        for (const key of await readdir(join(root, prefix, folder)).catch(() => [])) {
          const found = /^[0-9a-f]{32}$/.test(key)
            ? await stat(join(root, prefix, folder, key)).catch(() => undefined)
            : undefined;
          // A moved or linked file keeps its mtime; ctime is when it arrived.
          if (found && found.mtime < before && found.ctime < before) yield key;
        }
      }
    },

    async check() {
      const probe = join(incoming, `check-${randomBytes(8).toString("hex")}.tmp`);
      try {
        await mkdir(incoming, { recursive: true, mode: 0o700 });
        const file = await open(probe, "wx", 0o600);
        try {
          await file.write("ok");
          await file.sync();
        } finally {
          await file.close();
          await rm(probe, { force: true });
        }
        const { bavail, bsize } = await statfs(root);
        return { freeBytes: bavail * bsize };
      } catch (error) {
        const known = namedIfFull(error);
        throw known instanceof StoreFull ? known : new StoreUnavailable(error);
      }
    },

    removeAbandoned: (before) => removeOld(incoming, before, ".tmp"),
  };
}

/** Removes files of a folder that were written before; returns how many. */
export async function removeOld(folder: string, before: Date, ending = ""): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || !name.endsWith(ending) || found.mtime >= before) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
}

export const newKey = () => randomBytes(16).toString("hex");

/** Opened on first read: an unread stream's error would be unhandled and end the process. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  yield* file.createReadStream({ highWaterMark: 1024 * 1024 }) as AsyncIterable<Uint8Array>;
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written);
    written += bytesWritten;
  }
}

async function flush(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

export function namedIfFull(error: unknown): unknown {
  const code = codeOf(error);
  return code === "ENOSPC" || code === "EDQUOT" ? new StoreFull(error) : error;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
