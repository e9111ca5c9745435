const encryptions = ["AES256", "aws:kms", "none"] as const;
/** What the store is asked to encrypt with, at every file that is written; `none` for a store that does so by itself and refuses to be asked. */
type Encryption = (typeof encryptions)[number];

export const isEncryption = (text: string): text is Encryption => (encryptions as readonly string[]).includes(text);

export interface S3Settings {
  bucket: string;
  /** Before every key: empty, or ending in a slash. */
  prefix: string;
  region: string;
  /** Scheme and host of a store that is not AWS's; its buckets are the first part of the path. */
  endpoint: string | null;
  encryption: Encryption;
  kmsKey: string | null;
  /** Null: as the machine itself is known to the store (a role, AWS_… of the environment). */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

export type FileStoreSettings = { folder: string } | S3Settings;
