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
  moveFromPath(path: string): Promise<string>;
  /**
   * Puts a file into the store under a key of the caller's, 32 hex digits, and leaves it where it is. Asked again with the same file it
   * changes nothing, so that a caller that was interrupted before it recorded the key may start again. @throws StoreFull
   */
  copyAs(path: string, key: string): Promise<void>;
  /** Over a network the bytes are held against their hash: the last of them come only once all of them agree. @throws FileNotInStore, WrongContent, StoreUnavailable */
  openRead(key: string, range?: ByteRange): Promise<StoredBytes>;
  /**
   * Lets `work` read the file as one of this machine, for programs that want a path. Elsewhere than in a folder it is a copy, checked by its hash
   * and kept a while for whoever comes next; it is only sure to be there until `work` ends. @throws FileNotInStore, WrongContent, StoreUnavailable
   */
  withLocalCopy<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  /** In bytes. @throws FileNotInStore */
  size(key: string): Promise<number>;
  /** Deletes for good. A key that is not there is no error, so that a purge may be repeated. */
  remove(key: string): Promise<void>;
  /** The keys that begin with `prefix` (two hex digits) and that nothing has been written to since `before`, in no order. */
  list(prefix: string, before: Date): AsyncIterable<string>;
  /** Deletes what an interrupted process left half written on this machine. @param before only what was last touched before this */
  removeAbandoned(before: Date): Promise<number>;
  /** For readiness: writes and deletes a small file. @returns free bytes, where known. @throws StoreFull, StoreUnavailable */
  check(): Promise<{ freeBytes: number | undefined }>;
  /** At the start: how the store is set up wrongly, as a line for the operator, or that nobody can tell since it is away. */
  findSetupError(): Promise<{ setupError: string } | { away: unknown } | null>;
  /** Whether it could not be reached when it was last asked for anything; it is then asked again in the background. Answers at once. */
  isAway(): boolean;
  /** Whether it is somewhere else than this machine: when it is away, another machine of ours has it no better. */
  isRemote: boolean;
  close(): Promise<void>;
}

/** There is no room left. The upload was not kept, and what was half written is gone. */
export class StoreFull extends Error {
  override readonly name = "StoreFull";
  constructor(cause?: unknown) {
    super("The file store is full", { cause });
  }
}

/** The store cannot be reached or written: away, missing, read-only, or not ours. What was to be stored was not; trying later may help. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  constructor(cause?: unknown) {
    super("The file store cannot be used", { cause });
  }
}

/** No file has this key, or it is no key at all. */
export class FileNotInStore extends Error {
  override readonly name = "FileNotInStore";
  constructor() {
    super("No such file in the store");
  }
}

/** The bytes in the store differ from those that were stored. They are not served. */
export class WrongContent extends Error {
  override readonly name = "WrongContent";
  constructor(key: string) {
    super(`The file ${key} is not what was stored`);
  }
}
