import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, rmdir, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { intoNewFile } from "~/files/new-file.server";

export interface LocalCopies {
  /** Fetches a file if needed and keeps it at least until `work` ends. */
  use<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  remove(key: string): Promise<void>;
  removeLeft(before: Date): Promise<number>;
  close(): Promise<void>;
}

interface Options {
  folder: string;
  download(key: string): AsyncIterable<Buffer>;
  /** Milliseconds an unused copy is kept. */
  idleMs?: number;
  /** Maximum total of unused copies. */
  maxIdleBytes?: number;
}

interface Copy {
  path: string;
  bytes: number;
  users: number;
  ready: Promise<void>;
  timer?: NodeJS.Timeout;
}

/**
 * Local copies of remote files for programs that need a path. Each process has its own folder, so it never deletes a
 * copy in use elsewhere.
 */
export function createLocalCopies({
  folder,
  download,
  idleMs = 10 * 60_000,
  maxIdleBytes = 2 * 1024 ** 3,
}: Options): LocalCopies {
  const own = path.join(folder, `${process.pid}-${randomBytes(4).toString("hex")}`);
  const copies = new Map<string, Copy>();
  let made = 0;

  function take(key: string): Copy {
    const known = copies.get(key);
    const copy: Copy = known ?? { path: path.join(own, `${++made}`), bytes: 0, users: 0, ready: Promise.resolve() };
    clearTimeout(copy.timer);
    copy.users += 1;
    copies.delete(key);
    copies.set(key, copy);
    if (known === undefined) copy.ready = fill(copy, download(key));
    return copy;
  }

  async function fill(copy: Copy, bytes: AsyncIterable<Buffer>): Promise<void> {
    await mkdir(own, { recursive: true, mode: 0o700 });
    await pipeline(bytes, intoNewFile(copy.path));
    copy.bytes = (await stat(copy.path)).size;
  }

  async function drop(key: string, copy: Copy): Promise<void> {
    clearTimeout(copy.timer);
    if (copies.get(key) === copy) copies.delete(key);
    await rm(copy.path, { force: true });
  }

  async function release(key: string, copy: Copy): Promise<void> {
    copy.users -= 1;
    if (copy.users > 0) return;
    if (copies.get(key) !== copy) return drop(key, copy);
    copy.timer = setTimeout(() => void drop(key, copy), idleMs).unref();
    let idle = 0;
    for (const [, { users, bytes }] of copies) idle += users === 0 ? bytes : 0;
    for (const [other, old] of copies) {
      if (idle <= maxIdleBytes) return;
      if (old.users > 0) continue;
      idle -= old.bytes;
      await drop(other, old);
    }
  }

  return {
    async use(key, work) {
      const copy = take(key);
      try {
        await copy.ready;
        const now = new Date();
        await utimes(copy.path, now, now);
        return await work(copy.path);
      } catch (error) {
        // The copy may be the cause, so the next read fetches it again.
        copies.delete(key);
        throw error;
      } finally {
        await release(key, copy);
      }
    },

    async remove(key) {
      const copy = copies.get(key);
      copies.delete(key);
      if (copy?.users === 0) await drop(key, copy);
    },

    async removeLeft(before) {
      let removed = 0;
      for (const process of await readdir(folder).catch(() => [])) {
        const left = path.join(folder, process);
        if (left === own) continue;
        for (const name of await readdir(left).catch(() => [])) {
          const found = await stat(path.join(left, name)).catch(() => undefined);
          if (found === undefined || found.mtime >= before) continue;
          await rm(path.join(left, name), { force: true });
          removed++;
        }
        await rmdir(left).catch(() => undefined);
      }
      return removed;
    },

    async close() {
      for (const copy of copies.values()) clearTimeout(copy.timer);
      copies.clear();
      await rm(own, { recursive: true, force: true });
    },
  };
}
