import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { FileStore, S3Settings } from "~/gateways/file-store/port";
import { createS3Store } from "~/gateways/file-store/s3.server";
import { makeBucket, type TestBucket } from "./s3-bucket";
import { type RunningSwift, startSwift } from "../swift.mjs";

export const PATIENCE = { connectMs: 1_000, silentMs: 1_000 };

export const from = (...chunks: (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
export const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
export const contentOf = async (stream: Readable) => Buffer.concat(await stream.toArray());

interface Begun {
  swift: RunningSwift;
  bucket: TestBucket;
  /** Where the store keeps its local copies. */
  folder: string;
  store: FileStore;
}

/** A bucket for the tests of one file; `begun` gets it before each test with a newly opened store. */
export function s3Store(begun: (given: Begun) => void) {
  let swift: RunningSwift;
  let bucket: TestBucket;
  let folder: string;
  let store: FileStore;
  /** Hashes as the database would know them. */
  const hashes = new Map<string, string>();
  beforeAll(async () => {
    swift = await startSwift();
    bucket = await makeBucket(swift);
  });
  afterAll(() => swift.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "store-"));
    store = await open();
    begun({ swift, bucket, folder, store });
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = (settings: Partial<S3Settings> = {}) =>
    createS3Store(
      { ...bucket.settings, ...settings },
      { localFolder: folder, findSha256: async (key) => hashes.get(key) ?? null, patience: PATIENCE },
    );
  async function storeBytes(bytes: Buffer): Promise<string> {
    const key = await store.put(from(bytes));
    hashes.set(key, sha256(bytes));
    return key;
  }
  const leftIn = async (name: string) => readdir(join(folder, name), { recursive: true }).catch(() => []);

  return { open, storeBytes, leftIn };
}
