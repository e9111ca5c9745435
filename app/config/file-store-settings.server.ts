import path from "node:path";
import { z } from "zod";
import { type Given, isInClear, optional, together } from "./setting-fields.server";
import { type FileStoreSettings, isEncryption, type S3Settings } from "~/gateways/file-store/port";

const WHAT_IT_MAY_BE =
  "must be empty, the whole path of a folder, or s3://bucket[/prefix] with ?region=…, ?endpoint=https://…, ?encryption=AES256, aws:kms or none, ?kmsKey=…";
/** By the rules of AWS, which are the strictest. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^([A-Za-z0-9_-]+\/)*$/;
const KNOWN = ["region", "endpoint", "encryption", "kmsKey"];

type Bucket = Omit<S3Settings, "credentials">;

function bucketOf(text: string): Bucket | null {
  if (!text.startsWith("s3://") || !URL.canParse(text)) return null;
  const { hostname, port, username, password, pathname, searchParams, hash } = new URL(text);
  const prefix = pathname.replace(/^\//, "").replace(/([^/])$/, "$1/");
  const encryption = searchParams.get("encryption") ?? "AES256";
  const endpoint = searchParams.get("endpoint");
  const kmsKey = searchParams.get("kmsKey");
  if (port !== "" || username !== "" || password !== "" || hash !== "") return null;
  if (!BUCKET.test(hostname) || !PREFIX.test(prefix) || !isEncryption(encryption)) return null;
  if ([...searchParams.keys()].some((name) => !KNOWN.includes(name))) return null;
  if (endpoint !== null && !/^https?:\/\/[^/?#@]+\/?$/.test(endpoint)) return null;
  if (kmsKey !== null && encryption !== "aws:kms") return null;
  return {
    bucket: hostname,
    prefix,
    region: searchParams.get("region") ?? "us-east-1",
    endpoint: endpoint?.replace(/\/$/, "") ?? null,
    encryption,
    kmsKey,
  };
}

const isFolder = (text: string) => path.isAbsolute(text);

export const fileStoreFields = {
  FILE_STORE: optional(z.string().refine((text) => isFolder(text) || bucketOf(text) !== null, WHAT_IT_MAY_BE)),
  FILE_STORE_KEY: optional(z.string().regex(/^[\x21-\x7e]+$/, "must be a key without spaces")),
  FILE_STORE_SECRET: optional(z.string().regex(/^[\x21-\x7e]+$/, "must be a secret without spaces")),
};

export function fileStoreErrors(given: Given): string[] {
  const endpoint = bucketOf(given.FILE_STORE ?? "")?.endpoint;
  return [
    ...together(given, "FILE_STORE_KEY", "FILE_STORE_SECRET"),
    ...(endpoint && isInClear(endpoint) && given.NODE_ENV === "production"
      ? ["FILE_STORE: the endpoint must begin with https:// in production"]
      : []),
  ];
}

type Values = z.output<z.ZodObject<typeof fileStoreFields>>;

export function fileStoreOf(given: Values, dataDir: string): FileStoreSettings {
  const store = fileStoreNamed(given.FILE_STORE ?? path.join(dataDir, "files"));
  if (store === null) throw new Error(WHAT_IT_MAY_BE);
  return "folder" in store ? store : { ...store, credentials: credentialsOf(given) };
}

export const credentialsOf = ({ FILE_STORE_KEY, FILE_STORE_SECRET }: Values): S3Settings["credentials"] =>
  FILE_STORE_KEY && FILE_STORE_SECRET ? { accessKeyId: FILE_STORE_KEY, secretAccessKey: FILE_STORE_SECRET } : null;

/** Parses a store's address, which has no credentials; null when it is invalid. */
export function fileStoreNamed(text: string): FileStoreSettings | null {
  if (isFolder(text)) return { folder: text };
  const bucket = bucketOf(text);
  return bucket && { ...bucket, credentials: null };
}
