import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { FileNotInStore, StoreUnavailable, WrongContent } from "./port";
import type { S3Bucket } from "./s3-bucket.server";

const MAX_RESUMPTIONS = 3;

export interface CheckedRead {
  bucket: Pick<S3Bucket, "open">;
  name: string;
  key: string;
  sha256: string | null;
  silentMs: number;
}

/**
 * Reads an object and verifies its hash. A lost or silent connection is resumed while progress is made. The last bytes
 * are held back until the hash matches, so that nobody gets a complete wrong file. Slow readers are waited for.
 */
export async function* checkedBytes(read: CheckedRead): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash("sha256");
  let expected = read.sha256;
  let held: Buffer | undefined;
  let from = 0;
  let etag: string | undefined;
  let resumptions = 0;
  for (;;) {
    try {
      for await (const { chunk, etag: found, sha256 } of piecesFrom(read, { from, ...(etag ? { etag } : {}) })) {
        etag ??= found;
        expected ??= sha256;
        if (chunk.length === 0) continue;
        hash.update(chunk);
        from += chunk.length;
        resumptions = 0;
        if (held !== undefined) yield held;
        held = chunk;
      }
      break;
    } catch (error) {
      if (error instanceof FileNotInStore) throw error;
      // A read that never started is not retried; the SDK has already done so.
      if (etag === undefined || ++resumptions > MAX_RESUMPTIONS || isFinalAnswer(error))
        throw error instanceof StoreUnavailable ? error : new StoreUnavailable(error);
    }
  }
  if (expected !== null && hash.digest("hex") !== expected) throw new WrongContent(read.key);
  if (held !== undefined) yield held;
}

/** The store would answer the same again. */
function isFinalAnswer(error: unknown): boolean {
  const status = (error as { cause?: { $metadata?: { httpStatusCode?: number } } }).cause?.$metadata?.httpStatusCode;
  return status !== undefined && status < 500;
}

interface Piece {
  chunk: Buffer;
  etag: string | undefined;
  sha256: string | null;
}

async function* piecesFrom(
  { bucket, name, silentMs }: CheckedRead,
  start: { from: number; etag?: string },
): AsyncGenerator<Piece> {
  const giveUp = new AbortController();
  const { body, etag, sha256 } = await unlessSilent(bucket.open(name, start, giveUp.signal), silentMs, giveUp);
  const chunks = body[Symbol.asyncIterator]();
  try {
    yield { chunk: Buffer.alloc(0), etag, sha256 };
    for (;;) {
      const { done, value } = (await unlessSilent(chunks.next(), silentMs, giveUp)) as IteratorResult<Buffer>;
      if (done) return;
      yield { chunk: value, etag, sha256 };
    }
  } finally {
    body.destroy();
  }
}

async function unlessSilent<T>(answer: Promise<T>, silentMs: number, giveUp: AbortController): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      giveUp.abort();
      reject(new StoreUnavailable(new Error("the store is silent")));
    }, silentMs);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}

/** Waits for the first bytes, so that an early error is thrown by the call and not in the middle of an answer. */
export async function streamOf(bytes: AsyncGenerator<Buffer, void, undefined>): Promise<Readable> {
  const first = await bytes.next();
  return Readable.from(
    (async function* () {
      try {
        if (!first.done) yield first.value;
        yield* bytes;
      } finally {
        await bytes.return();
      }
    })(),
    { objectMode: false, highWaterMark: 256 * 1024 },
  );
}
