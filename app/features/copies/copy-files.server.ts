import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Db } from "~db/connection.server";
import { FileNotInStore, type FileStore, WrongContent } from "~/gateways/file-store/port";
import { type CopiedFile, findCopiedFiles, isStillStored } from "./copy-mark-store.server";

const BATCH_SIZE = 500;
const PREFIXES = 256;

export async function* filesOf(db: Db): AsyncGenerator<CopiedFile> {
  for (let after = 0; ;) {
    const files = await findCopiedFiles(db, { after, limit: BATCH_SIZE });
    yield* files;
    if (files.length < BATCH_SIZE) return;
    after = files.at(-1)!.id;
  }
}

export const placeIn = (folder: string, key: string) => path.join(folder, "files", key.slice(0, 2), key);

/** The copy cannot be made or is invalid; the message tells the operator why. */
export class CopyError extends Error {
  override readonly name = "CopyError";
}

interface Counted {
  files: number;
  bytes: number;
  gone: string[];
}

/**
 * Copies every file that the copied database names and checks its hash. A missing file is an error unless it was purged
 * meanwhile. Throws `CopyError` with all errors after the rest has been copied.
 */
export async function copyFilesOut(
  live: { db: Db; files: FileStore; clock: { now(): Date } },
  copy: Db,
  folder: string,
): Promise<Counted> {
  const counted: Counted = { files: 0, bytes: 0, gone: [] };
  const errors: string[] = [];
  for await (const file of filesOf(copy)) {
    try {
      counted.bytes += await copyOut(live.files, file, folder);
      counted.files += 1;
    } catch (error) {
      if (!(error instanceof FileNotInStore) && !(error instanceof WrongContent)) throw error;
      if (error instanceof FileNotInStore && !(await isStillStored(live.db, file.storageKey, live.clock.now())))
        counted.gone.push(file.storageKey);
      else errors.push(`${file.storageKey}: ${error.message}`);
    }
  }
  if (errors.length > 0) throw new CopyError(`${errors.length} files could not be copied:\n${errors.join("\n")}`);
  return counted;
}

async function copyOut(files: FileStore, { storageKey: key, sha256 }: CopiedFile, folder: string): Promise<number> {
  const place = placeIn(folder, key);
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
  const temporary = `${place}.tmp`;
  const { hash, bytes } = await writeHashed(await files.openRead(key), temporary);
  if (hash !== sha256) {
    await rm(temporary, { force: true });
    throw new WrongContent(key);
  }
  await rename(temporary, place);
  return bytes;
}

async function writeHashed(stream: Readable, file: string): Promise<{ hash: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(file, { mode: 0o600 }),
  );
  await flush(file);
  return { hash: hash.digest("hex"), bytes };
}

/** Flushes to disk; otherwise a power cut may lose what the command reported as written. */
export async function flush(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest("hex");
}

/** Throws `CopyError` if the copy lacks a file or a file has other bytes; called before anything is restored. */
export async function checkFiles(copy: Db, folder: string, gone: readonly string[]): Promise<void> {
  const errors: string[] = [];
  const missing = new Set(gone);
  for await (const { storageKey: key, sha256 } of filesOf(copy)) {
    if (missing.has(key)) continue;
    const hash = await hashOf(placeIn(folder, key)).catch(() => null);
    if (hash === null) errors.push(`${key}: missing`);
    else if (hash !== sha256) errors.push(`${key}: other bytes than were stored (SHA-256)`);
  }
  if (errors.length > 0) throw new CopyError(`The copy is damaged:\n${errors.join("\n")}`);
}

/**
 * Throws `CopyError` when the store holds files that the copy lacks; those of an interrupted restore are in the copy.
 */
export async function refuseForeignFiles(files: FileStore, copy: Db): Promise<void> {
  const own = new Set<string>();
  for await (const { storageKey: key } of filesOf(copy)) own.add(key);
  const never = new Date(Date.now() + 365 * 24 * 3600 * 1000);
  for (let prefix = 0; prefix < PREFIXES; prefix += 1)
    for await (const key of files.list(prefix.toString(16).padStart(2, "0"), never))
      if (!own.has(key))
        throw new CopyError("The file store holds files that are not the copy's: restore into an empty one.");
}

export async function copyFilesIn(
  files: FileStore,
  copy: Db,
  folder: string,
  gone: readonly string[],
): Promise<number> {
  const missing = new Set(gone);
  let count = 0;
  for await (const { storageKey: key } of filesOf(copy)) {
    if (missing.has(key)) continue;
    await files.copyAs(placeIn(folder, key), key);
    count += 1;
  }
  return count;
}
