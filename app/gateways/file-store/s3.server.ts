import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rm, stat, unlink, rmdir, utimes } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { type S3Settings, FileNotInStore, type FileStore, StoreUnavailable } from "./port";
import { intoNewFile } from "~/streams/new-file.server";
import { namedIfFull, newKey, removeOld } from "./folder.server";
import {
  checkedBytes,
  codeOf,
  statusOf,
  type CheckedRead,
  streamOf,
  openBucket,
  type Outgoing,
  S3_PATIENCE,
  type S3Bucket,
  type S3Patience,
} from "./s3-bucket.server";

/** A set-up error as a line for the operator; null for temporary errors. */
function describeS3Error(
  error: unknown,
  { bucket, encryption, region }: S3Settings,
): { setupError: string } | { away: unknown } {
  const cause = (error as Error).cause ?? error;
  const errors: Record<string, string> = {
    NoSuchBucket: `FILE_STORE: there is no bucket ${bucket}`,
    InvalidAccessKeyId: "FILE_STORE_KEY: the store does not know this key",
    SignatureDoesNotMatch: "FILE_STORE_SECRET: the store refuses it",
    AccessDenied: `FILE_STORE: the key may not write, read, list and delete in the bucket ${bucket}`,
    AuthorizationHeaderMalformed: `FILE_STORE: the bucket ${bucket} is not in the region ${region}`,
    PermanentRedirect: `FILE_STORE: the bucket ${bucket} is not in the region ${region}`,
    NotImplemented: `FILE_STORE: the store does not encrypt as it is asked to (encryption=${encryption}); encryption=none asks for nothing`,
    CredentialsProviderError: "FILE_STORE_KEY: is required, as this machine has no credentials of its own",
  };
  const setupError = errors[codeOf(cause)];
  if (setupError !== undefined) return { setupError };
  if (statusOf(cause) === 403) return { setupError: errors.AccessDenied! };
  return { away: error };
}

export interface S3Options {
  localFolder: string;
  /** The database's SHA-256 of a key (hex); null without a row. */
  findSha256(key: string): Promise<string | null>;
  patience?: S3Patience;
}

/** The public readiness endpoint probes the store at most this often. */
const CHECK_EVERY_MS = 5_000;

/**
 * A file store in a bucket. Object names are the prefix and a random key. Uploads are buffered locally, so that they
 * have a length and hash and can be resent; downloads are verified against the database's hash.
 */
export async function createS3Store(
  settings: S3Settings,
  { localFolder, findSha256, patience = S3_PATIENCE }: S3Options,
): Promise<FileStore> {
  let isAway = false;
  const bucket = trackingAvailability(await openBucket(settings, patience), (away) => void (isAway = away));
  const outgoing = path.join(localFolder, "outgoing");
  const copies = createLocalCopies({ folder: path.join(localFolder, "copies"), download: readAll });
  let lastCheck: { at: number; outcome: Promise<{ freeBytes: undefined }> } | undefined;

  function nameOf(key: string): string {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new FileNotInStore();
    return `${settings.prefix}${key}`;
  }

  async function* readAll(key: string) {
    const read: CheckedRead = {
      bucket,
      name: nameOf(key),
      key,
      sha256: await findSha256(key),
      silentMs: patience.silentMs,
    };
    yield* checkedBytes(read);
  }

  /** @returns the key. The buffer is removed in any case. */
  async function bufferAndSend(source: AsyncIterable<Uint8Array>): Promise<string> {
    const key = newKey();
    const bufferPath = path.join(outgoing, `${newKey()}.tmp`);
    try {
      await mkdir(outgoing, { recursive: true, mode: 0o700 });
      await pipeline(source, intoNewFile(bufferPath)).catch((error: unknown) => {
        throw namedIfFull(error);
      });
      await send(bufferPath, key);
      return key;
    } finally {
      await rm(bufferPath, { force: true });
    }
  }

  const send = async (file: string, key: string) => bucket.put(nameOf(key), await measured(file));

  async function sendFile(file: string): Promise<string> {
    const key = newKey();
    await send(file, key);
    return key;
  }

  async function probe(inspect?: (name: string) => Promise<void>): Promise<{ freeBytes: undefined }> {
    const name = `${settings.prefix}check-${newKey()}`;
    const file = path.join(outgoing, `${newKey()}.tmp`);
    try {
      await mkdir(outgoing, { recursive: true, mode: 0o700 });
      await pipeline([Buffer.from("ok")], intoNewFile(file));
      await bucket.put(name, await measured(file));
      try {
        await inspect?.(name);
      } finally {
        await bucket.remove(name);
      }
      return { freeBytes: undefined };
    } finally {
      await rm(file, { force: true });
    }
  }

  function check() {
    if (lastCheck === undefined || performance.now() - lastCheck.at > CHECK_EVERY_MS)
      lastCheck = { at: performance.now(), outcome: probe() };
    return lastCheck.outcome;
  }

  return {
    isRemote: true,

    isAway() {
      // Without other requests nobody would notice that the store is back.
      if (isAway) void check().catch(() => undefined);
      return isAway;
    },

    put: (source) => (typeof source === "string" ? sendFile(source) : bufferAndSend(source)),

    async moveFromPath(file) {
      const key = await sendFile(file);
      await unlink(file);
      return key;
    },

    async copyAs(file, key) {
      const { size } = await stat(file);
      const found = await bucket.size(nameOf(key)).catch((error: unknown) => {
        if (error instanceof FileNotInStore) return null;
        throw error;
      });
      if (found !== size) await send(file, key);
    },

    async openRead(key, range) {
      if (range === undefined) return streamOf(readAll(key));
      // A range has no hash, so it is cut from the verified whole.
      return copies.use(key, async (copy) => {
        const part = createReadStream(copy, { ...range, highWaterMark: 256 * 1024 });
        await new Promise<void>((resolve, reject) => part.once("open", () => resolve()).once("error", reject));
        return part;
      });
    },

    withLocalCopy: (key, work) => copies.use(key, work),

    size: async (key) => bucket.size(nameOf(key)),

    async remove(key) {
      await copies.remove(key);
      await bucket.remove(nameOf(key));
    },

    async *list(prefix, before) {
      if (!/^[0-9a-f]{2}$/.test(prefix)) return;
      for await (const { name, writtenAt } of bucket.list(`${settings.prefix}${prefix}`)) {
        const key = name.slice(settings.prefix.length);
        if (/^[0-9a-f]{32}$/.test(key) && writtenAt < before) yield key;
      }
    },

    removeAbandoned: async (before) => (await copies.removeLeft(before)) + (await removeOld(outgoing, before)),

    check,

    async findSetupError() {
      let isOpen = false;
      try {
        await probe(async (name) => void (isOpen = await bucket.isOpen(name)));
      } catch (error) {
        return describeS3Error(error, settings);
      }
      return isOpen ? { setupError: `FILE_STORE: anybody may read what lies in the bucket ${settings.bucket}` } : null;
    },

    async close() {
      await copies.close();
      bucket.close();
    },
  };
}

function trackingAvailability(bucket: S3Bucket, note: (isAway: boolean) => void): S3Bucket {
  const noted = async <T>(call: Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      const answer = await call;
      note(false);
      return answer;
    } catch (error) {
      // An aborted read says nothing about the store.
      if (!signal?.aborted) note(error instanceof StoreUnavailable);
      throw error;
    }
  };
  return {
    ...bucket,
    put: (...args) => noted(bucket.put(...args)),
    open: (...args) => noted(bucket.open(...args), args[2]),
    size: (...args) => noted(bucket.size(...args)),
    remove: (...args) => noted(bucket.remove(...args)),
  };
}

async function measured(file: string): Promise<Outgoing> {
  const md5 = createHash("md5");
  const sha256 = createHash("sha256");
  let size = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    md5.update(chunk);
    sha256.update(chunk);
    size += chunk.length;
  }
  return { path: file, size, md5: md5.digest("base64"), sha256: sha256.digest("hex") };
}

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
        removed += await removeOld(left, before);
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
