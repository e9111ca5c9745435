import { randomBytes } from "node:crypto";
import {
  CreateBucketCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import type { S3Settings } from "~/gateways/file-store/port";
import type { RunningSwift } from "../swift.mjs";

export interface TestBucket {
  settings: S3Settings;
  /** Settings of a portal on this bucket. @param origin of a proxy before the store */
  env(origin?: string): Record<string, string>;
  /** Names of all versions and delete markers. */
  everything(): Promise<string[]>;
  /** Overwrites an object, which only a defect would do. */
  overwrite(name: string, bytes: Buffer): Promise<void>;
}

/** Creates a bucket in a running Swift, by default with versions. */
export async function makeBucket(
  { endpoint, credentials }: RunningSwift,
  { keepsVersions = true } = {},
): Promise<TestBucket> {
  const Bucket = `portal-${randomBytes(6).toString("hex")}`;
  const client = new S3Client({
    endpoint,
    credentials,
    region: "us-east-1",
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  await client.send(new CreateBucketCommand({ Bucket }));
  if (keepsVersions)
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
  return {
    settings: {
      bucket: Bucket,
      prefix: "files/",
      region: "us-east-1",
      endpoint,
      encryption: "AES256",
      kmsKey: null,
      credentials,
    },
    env: (origin = endpoint) => ({
      FILE_STORE: `s3://${Bucket}/files?endpoint=${encodeURIComponent(origin)}`,
      FILE_STORE_KEY: credentials.accessKeyId,
      FILE_STORE_SECRET: credentials.secretAccessKey,
    }),
    async everything() {
      const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
      return [...Versions, ...DeleteMarkers].map(({ Key }) => Key!);
    },
    async overwrite(name, bytes) {
      await client.send(new PutObjectCommand({ Bucket, Key: name, Body: bytes }));
    },
  };
}
