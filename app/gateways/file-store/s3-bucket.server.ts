import { createReadStream } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { fetchOutside } from "~/gateways/http/fetch-outside.server";
import { FileNotInStore, StoreFull, StoreUnavailable, type S3Settings, WrongContent } from "./port";

/** Milliseconds until the first answer, and of silence on an open connection. */
export interface S3Patience {
  connectMs: number;
  silentMs: number;
}

export const S3_PATIENCE: S3Patience = { connectMs: 3_000, silentMs: 30_000 };

export interface Outgoing {
  path: string;
  size: number;
  md5: string;
  sha256: string;
}

export type S3Bucket = Awaited<ReturnType<typeof openBucket>>;

/** The caller logs errors; the SDK would write to the console. */
const say = () => undefined;
const SILENT = { trace: say, debug: say, info: say, warn: say, error: say };
const TRIES = 3;
const PAUSE_MS = 300;

/** Calls to one bucket by object name. Errors are thrown in the port's terms. */
export async function openBucket(settings: S3Settings, { connectMs, silentMs }: S3Patience = S3_PATIENCE) {
  // The SDK's version is pinned to this Node; its warning would fill the log.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const [sdk, { S3Driver }] = await Promise.all([import("@aws-sdk/client-s3"), import("flydrive/drivers/s3")]);
  const { bucket, region, endpoint, encryption, kmsKey, credentials } = settings;
  const connect = (socketTimeout: number) =>
    new sdk.S3Client({
      region,
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
      credentials: credentials ?? undefined,
      maxAttempts: TRIES,
      // The SDK's own checksums use a stream format that other stores refuse or keep undecoded.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      logger: SILENT,
      requestHandler: { connectionTimeout: connectMs, socketTimeout },
    });
  const asking = connect(silentMs);
  // A slow reader makes a download silent too; the reader watches for that.
  const reading = connect(0);
  const driver = new S3Driver({
    client: asking,
    bucket,
    // Objects have no ACL of their own; the bucket is private.
    visibility: "private",
    supportsACL: false,
    ...(encryption === "none" ? {} : { encryption }),
  });

  return {
    async put(name: string, { path, size, md5, sha256 }: Outgoing): Promise<void> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await driver.putStream(name, createReadStream(path, { highWaterMark: 256 * 1024 }), {
            contentType: "application/octet-stream",
            contentLength: size,
            ContentMD5: md5,
            Metadata: { sha256 },
            SSEKMSKeyId: kmsKey ?? undefined,
          });
        } catch (error) {
          // The SDK cannot resend a stream, but the file can be read again.
          if (attempt === TRIES || !isPassing(error)) throw named(error);
          await pause(PAUSE_MS * attempt);
        }
      }
    },

    /** @param from first byte; `etag` that the object must still have. The caller reads or destroys the body. */
    async open(name: string, { from, etag }: { from: number; etag?: string }, abortSignal: AbortSignal) {
      try {
        const { Body, ETag, Metadata } = await reading.send(
          new sdk.GetObjectCommand({
            Bucket: bucket,
            Key: name,
            ...(from === 0 ? {} : { Range: `bytes=${from}-` }),
            IfMatch: etag,
          }),
          { abortSignal },
        );
        return { body: Body as import("node:stream").Readable, etag: ETag, sha256: Metadata?.sha256 ?? null };
      } catch (error) {
        throw named(error);
      }
    },

    size: (name: string) =>
      driver.getMetaData(name).then(
        ({ contentLength }) => contentLength,
        (error: unknown) => {
          throw named(error);
        },
      ),

    async remove(name: string): Promise<void> {
      try {
        for (const VersionId of await versionsOf(name))
          await asking.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: name, VersionId }));
      } catch (error) {
        throw named(error);
      }
    },

    async *list(prefix: string): AsyncGenerator<{ name: string; writtenAt: Date }> {
      let ContinuationToken: string | undefined;
      do {
        const page = await asking
          .send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken }))
          .catch((error: unknown) => {
            throw named(error);
          });
        for (const { Key, LastModified } of page.Contents ?? [])
          if (Key !== undefined && LastModified !== undefined) yield { name: Key, writtenAt: LastModified };
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },

    async isOpen(name: string): Promise<boolean> {
      const base = endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint}/${bucket}`;
      const answer = await fetchOutside(`${base}/${name}`, {
        signal: AbortSignal.timeout(silentMs),
        redirect: "manual",
      });
      await answer.body?.cancel();
      return answer.ok;
    },

    close(): void {
      asking.destroy();
      reading.destroy();
    },
  };

  /**
   * Newest last: deleting it first would make Swift restore an older one, and its s3api waits for a body that DELETE
   * does not have. `undefined` for a store without versions.
   */
  async function versionsOf(name: string): Promise<(string | undefined)[]> {
    const older: string[] = [];
    const newest: string[] = [];
    let KeyMarker: string | undefined;
    let VersionIdMarker: string | undefined;
    do {
      const page = await asking
        .send(new sdk.ListObjectVersionsCommand({ Bucket: bucket, Prefix: name, KeyMarker, VersionIdMarker }))
        .catch((error: unknown) => {
          if (codeOf(error) === "NotImplemented") return null;
          throw error;
        });
      if (page === null) return [undefined];
      for (const { Key, VersionId, IsLatest } of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])])
        if (Key === name && VersionId !== undefined) (IsLatest ? newest : older).push(VersionId);
      KeyMarker = page.IsTruncated ? page.NextKeyMarker : undefined;
      VersionIdMarker = page.NextVersionIdMarker;
    } while (KeyMarker !== undefined);
    return [...older, ...newest];
  }
}

interface S3Error {
  name?: string;
  Code?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

export const codeOf = (error: unknown) => (error as S3Error).Code ?? (error as S3Error).name ?? "";
export const statusOf = (error: unknown) => (error as S3Error | undefined)?.$metadata?.httpStatusCode;

function isPassing(error: unknown): boolean {
  if ((error as S3Error).code === "ENOENT") return false;
  const status = statusOf(error);
  return status === undefined || status >= 500 || status === 408 || status === 429 || codeOf(error) === "BadDigest";
}

const FULL = ["QuotaExceeded", "XMinioStorageFull", "InsufficientCapacity", "InsufficientStorage"];

function named(error: unknown): unknown {
  if (error instanceof FileNotInStore || error instanceof StoreUnavailable) return error;
  // The local file is missing: the caller's error.
  if ((error as S3Error).code === "ENOENT") return error;
  if (FULL.includes(codeOf(error)) || statusOf(error) === 507) return new StoreFull(error);
  if (statusOf(error) === 404 && codeOf(error) !== "NoSuchBucket") return new FileNotInStore();
  return new StoreUnavailable(error);
}

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
  const status = statusOf((error as Error).cause);
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
