/** A stream of a stored file's bytes; Node's own, named here by type alone so that this file stays free of Node. */
export type StoredBytes = import("node:stream").Readable;

/** Byte positions, both included, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Where uploaded files are kept. Keys are random and say nothing about a patient; the database knows whose a file is.
 * A stored file never changes.
 */
export interface FileStore {
  /** Copies a file (by path) or the bytes of a stream into the store. @returns its key. @throws StoreFull; the stream's own error */
  put(source: string | AsyncIterable<Uint8Array>): Promise<string>;
  /** Moves a file into the store; it is gone from `path` afterwards, and still there if this throws. @throws StoreFull */
  putFromPath(path: string): Promise<string>;
  /**
   * Puts a file into the store under a key of the caller's, 32 hex digits, and leaves it where it is. Asked again with the same file it
   * changes nothing, so that a caller that was interrupted before it recorded the key may start again. @throws StoreFull
   */
  keep(path: string, key: string): Promise<void>;
  /** @throws FileNotInStore */
  openRead(key: string, range?: ByteRange): Promise<StoredBytes>;
  /** In bytes. @throws FileNotInStore */
  size(key: string): Promise<number>;
  /** Deletes for good. A key that is not there is no error, so that a purge may be repeated. */
  remove(key: string): Promise<void>;
  /** The keys that begin with `prefix` (two hex digits) and that nothing has been written to since `before`, in no order. */
  list(prefix: string, before: Date): AsyncIterable<string>;
  /** Deletes what an interrupted upload left half written, where the store can tell. @param before only what was last touched before this */
  removeAbandoned?(before: Date): Promise<number>;
  /** A path other programs may read, where the store has one. @throws FileNotInStore for what is no key */
  pathOf?(key: string): string;
  /** For readiness: writes, reads back and deletes a small file. @returns free bytes, where known. @throws StoreFull, StoreUnavailable */
  check(): Promise<{ freeBytes: number | undefined }>;
}

/** There is no room left. The upload was not kept, and what was half written is gone. */
export class StoreFull extends Error {
  override readonly name = "StoreFull";
  constructor(cause?: unknown) {
    super("The file store is full", { cause });
  }
}

/** The store cannot be written: missing, read-only, or not ours. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  constructor(cause?: unknown) {
    super("The file store cannot be written", { cause });
  }
}

/** No file has this key, or it is no key at all. */
export class FileNotInStore extends Error {
  override readonly name = "FileNotInStore";
  constructor() {
    super("No such file in the store");
  }
}
