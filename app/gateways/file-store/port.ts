/** Node's stream, as a type only, so that this file does not import Node. */
export type StoredBytes = import("node:stream").Readable;

/** Offsets in bytes; `end` is included, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Store of uploaded files. Keys are random and anonymous; the database knows the owner. Stored files never change. */
export interface FileStore {
  /** Stores a file (by path) or stream. @returns its key @throws StoreFull; the stream's own error */
  put(source: string | AsyncIterable<Uint8Array>): Promise<string>;
  /** Moves a file into the store; it stays at `path` if this throws. @throws StoreFull */
  moveFromPath(path: string): Promise<string>;
  /**
   * Copies a file into the store under the caller's key (32 hex digits). Idempotent, so that an interrupted caller may
   * repeat it. @throws StoreFull
   */
  copyAs(path: string, key: string): Promise<void>;
  /**
   * Over a network bytes are verified; the last come only when all match. @throws FileNotInStore, WrongContent,
   * StoreUnavailable
   */
  openRead(key: string, range?: ByteRange): Promise<StoredBytes>;
  /**
   * Gives `work` a local path. For a remote store it is a verified copy, guaranteed only until `work` ends. @throws
   * FileNotInStore, WrongContent, StoreUnavailable
   */
  withLocalCopy<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  /** In bytes. @throws FileNotInStore */
  size(key: string): Promise<number>;
  /** Deletes for good; idempotent. */
  remove(key: string): Promise<void>;
  /** Keys with this prefix (two hex digits) last written before `before`, unordered. */
  list(prefix: string, before: Date): AsyncIterable<string>;
  /** Deletes partial files of interrupted processes on this machine. @param before last touched before this */
  removeAbandoned(before: Date): Promise<number>;
  /** Readiness: writes and deletes a small file. @returns free bytes if known @throws StoreFull, StoreUnavailable */
  check(): Promise<{ freeBytes: number | undefined }>;
  /** At start: a set-up error as a line for the operator, or that the store is away. */
  findSetupError(): Promise<{ setupError: string } | { away: unknown } | null>;
  /** Whether the last access failed; it is then probed in the background. Returns at once. */
  isAway(): boolean;
  /** Whether another machine shares it, and so its outages. */
  isRemote: boolean;
  close(): Promise<void>;
}

/** No space left. Nothing was stored. */
export class StoreFull extends Error {
  override readonly name = "StoreFull";
  constructor(cause?: unknown) {
    super("The file store is full", { cause });
  }
}

/** The store cannot be reached or written; nothing was stored, and retrying may help. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  constructor(cause?: unknown) {
    super("The file store cannot be used", { cause });
  }
}

export class FileNotInStore extends Error {
  override readonly name = "FileNotInStore";
  constructor() {
    super("No such file in the store");
  }
}

/** The bytes differ from those stored and are not served. */
export class WrongContent extends Error {
  override readonly name = "WrongContent";
  constructor(key: string) {
    super(`The file ${key} is not what was stored`);
  }
}

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
