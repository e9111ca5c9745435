const encryptions = ["AES256", "aws:kms", "none"] as const;
/** Server-side encryption requested for each file; `none` for a store that encrypts itself and refuses the request. */
type Encryption = (typeof encryptions)[number];

export const isEncryption = (text: string): text is Encryption => (encryptions as readonly string[]).includes(text);

export interface S3Settings {
  bucket: string;
  /** Prefix of every key: empty or ending in a slash. */
  prefix: string;
  region: string;
  /** Scheme and host of a store other than AWS, addressed by path. */
  endpoint: string | null;
  encryption: Encryption;
  kmsKey: string | null;
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

export type FileStoreSettings = { folder: string } | S3Settings;
