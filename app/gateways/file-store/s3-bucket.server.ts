import { createReadStream } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fetchOutside } from "../http/fetch-outside.server";
import { FileNotInStore, StoreFull, StoreUnavailable } from "./port";
import type { S3Settings } from "./settings";

/** Timeouts in milliseconds: until the first answer, and for silence on an open connection. */
export interface S3Patience {
  connectMs: number;
  silentMs: number;
}

export const S3_PATIENCE: S3Patience = { connectMs: 3_000, silentMs: 30_000 };

/** A file of this machine on its way into the bucket. MD5 in base64, as the store checks it on arrival; SHA-256 in hexadecimal. */
export interface Outgoing {
  path: string;
  size: number;
  md5: string;
  sha256: string;
}

export type S3Bucket = Awaited<ReturnType<typeof openBucket>>;

/** Errors are thrown and logged by the caller; the SDK would write them to the console. */
const say = () => undefined;
const SILENT = { trace: say, debug: say, info: say, warn: say, error: say };
const TRIES = 3;
const PAUSE_MS = 300;

/** The calls to one bucket, by whole object names. What goes wrong is thrown in the port's terms. */
export async function openBucket(settings: S3Settings, { connectMs, silentMs }: S3Patience = S3_PATIENCE) {
  // The SDK's versions are pinned to those that this Node runs; its warning would stand in every log.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const [sdk, { S3Driver }] = await Promise.all([import("@aws-sdk/client-s3"), import("flydrive/drivers/s3")]);
  const { bucket, region, endpoint, encryption, kmsKey, credentials } = settings;
  const connect = (socketTimeout: number) =>
    new sdk.S3Client({
      region,
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
      ...(credentials === null ? {} : { credentials }),
      maxAttempts: TRIES,
      // With its own checksums the SDK sends streams in a form that stores other than AWS's refuse, or keep as it is.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      logger: SILENT,
      requestHandler: { connectionTimeout: connectMs, socketTimeout },
    });
  const asking = connect(silentMs);
  // A download that its reader holds up is silent as well: who reads watches for that.
  const reading = connect(0);
  const driver = new S3Driver({
    client: asking,
    bucket,
    // No object has an access list of its own: the bucket is private, and says so itself.
    visibility: "private",
    supportsACL: false,
    ...(encryption === "none" ? {} : { encryption }),
  });

  return {
    /** Writes an object, whole or not at all: the store compares what came with the MD5. */
    async put(name: string, { path, size, md5, sha256 }: Outgoing): Promise<void> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await driver.putStream(name, createReadStream(path, { highWaterMark: 256 * 1024 }), {
            contentType: "application/octet-stream",
            contentLength: size,
            ContentMD5: md5,
            Metadata: { sha256 },
            ...(kmsKey === null ? {} : { SSEKMSKeyId: kmsKey }),
          });
        } catch (error) {
          // A stream cannot be sent again by the SDK; the file can.
          if (attempt === TRIES || !isPassing(error)) throw named(error);
          await pause(PAUSE_MS * attempt);
        }
      }
    },

    /** @param from the first byte wanted; `etag` that the object must still have. The caller reads the body, or destroys it. */
    async open(name: string, { from, etag }: { from: number; etag?: string }, abortSignal: AbortSignal) {
      try {
        const { Body, ETag, Metadata } = await reading.send(
          new sdk.GetObjectCommand({
            Bucket: bucket,
            Key: name,
            ...(from === 0 ? {} : { Range: `bytes=${from}-` }),
            ...(etag === undefined ? {} : { IfMatch: etag }),
          }),
          { abortSignal },
        );
        return { body: Body as import("node:stream").Readable, etag: ETag, sha256: Metadata?.sha256 ?? null };
      } catch (error) {
        throw named(error);
      }
    },

    /** In bytes. @throws FileNotInStore */
    size: (name: string) =>
      driver.getMetaData(name).then(
        ({ contentLength }) => contentLength,
        (error: unknown) => {
          throw named(error);
        },
      ),

    /** Deletes every version of an object, and what says that it was deleted. */
    async remove(name: string): Promise<void> {
      try {
        for (const VersionId of await versionsOf(name))
          await asking.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: name, VersionId }));
      } catch (error) {
        throw named(error);
      }
    },

    /** The objects below a prefix, with the moment when they were written. */
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

    /** Whether an object can be read without credentials. */
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
   * The newest last: were it deleted while older ones are there, Swift would bring the next one back, and its s3api waits for a body that no
   * DELETE has until the connection is closed. `undefined` where the store keeps none: its one object.
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

const codeOf = (error: unknown) => (error as S3Error).Code ?? (error as S3Error).name ?? "";
const statusOf = (error: unknown) => (error as S3Error).$metadata?.httpStatusCode;

/** What may go better in a moment: no answer at all, or one that says that the store has trouble. */
function isPassing(error: unknown): boolean {
  if ((error as S3Error).code === "ENOENT") return false;
  const status = statusOf(error);
  return status === undefined || status >= 500 || status === 408 || status === 429 || codeOf(error) === "BadDigest";
}

const FULL = ["QuotaExceeded", "XMinioStorageFull", "InsufficientCapacity", "InsufficientStorage"];

function named(error: unknown): unknown {
  if (error instanceof FileNotInStore || error instanceof StoreUnavailable) return error;
  // The file to be sent is not there: an error of the caller's.
  if ((error as S3Error).code === "ENOENT") return error;
  if (FULL.includes(codeOf(error)) || statusOf(error) === 507) return new StoreFull(error);
  if (statusOf(error) === 404 && codeOf(error) !== "NoSuchBucket") return new FileNotInStore();
  return new StoreUnavailable(error);
}
