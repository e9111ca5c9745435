import { createHash, randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { intoNewFile } from "~/streams/new-file.server";
import type { Portal } from "~/portal.server";
import { findParts, insertPart } from "./upload-part-store.server";

/** Size of a part: a server that dies loses at most the part in progress. */
const PART_BYTES = 8 * 1024 * 1024;

type UploadPlace = Pick<Portal, "db" | "files" | "clock" | "config">;

/** Another process continued from the same byte; its data counts. */
export class PartConflict extends Error {}

/**
 * Stores an upload from byte `start` in parts, each recorded once stored, so that a lost connection keeps what arrived.
 * Returns the next byte. Throws `PartConflict`, the stream's error, `StoreFull`, `StoreUnavailable`.
 */
export async function storeParts(
  { db, files, clock }: UploadPlace,
  uploadId: string,
  source: AsyncIterable<Uint8Array>,
  start: number,
): Promise<number> {
  const arriving = cuttable(source);
  let next = start;
  while (await arriving.hasMore()) {
    const hash = createHash("sha256");
    let size = 0;
    const storageKey = await files.put(
      arriving.take(PART_BYTES, (chunk) => {
        hash.update(chunk);
        size += chunk.length;
      }),
    );
    const part = { start: next, size, storageKey, sha256: hash.digest("hex") };
    if (!(await insertPart(db, uploadId, part, clock.now()))) {
      await files.remove(storageKey);
      throw new PartConflict();
    }
    next += size;
  }
  arriving.throwFailure();
  return next;
}

function cuttable(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let waiting: Uint8Array | undefined;
  let failure: { error: unknown } | undefined;

  async function hasMore(): Promise<boolean> {
    while (waiting === undefined && failure === undefined) {
      try {
        const { done, value } = await chunks.next();
        if (done) return false;
        if (value.length > 0) waiting = value;
      } catch (error) {
        failure = { error };
      }
    }
    return waiting !== undefined;
  }

  return {
    hasMore,
    async *take(maxBytes: number, measure: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
      for (let room = maxBytes; room > 0 && (await hasMore());) {
        const chunk = waiting!.subarray(0, room);
        waiting = waiting!.length > room ? waiting!.subarray(room) : undefined;
        room -= chunk.length;
        measure(chunk);
        yield chunk;
      }
    },
    throwFailure(): void {
      if (failure !== undefined) throw failure.error;
    },
  };
}

export async function withWholeUpload<T>(
  { db, files, config }: UploadPlace,
  uploadId: string,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const folder = path.join(config.dataDir, "incoming");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const whole = path.join(folder, randomUUID());
  const parts = await findParts(db, uploadId);
  try {
    await pipeline(async function* () {
      for (const { storageKey } of parts) yield* (await files.openRead(storageKey)) as AsyncIterable<Buffer>;
    }, intoNewFile(whole));
    return await work(whole);
  } finally {
    await rm(whole, { force: true });
  }
}
