import { crc32 } from "node:zlib";
import { Entry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { MAX_SENT_NAME_BYTES } from "../file-name";
import type { Readers } from "../reading/readers.server";
import { TooManyReading } from "../reading/reader-job";
import { TOO_MANY_READING_TEXT } from "../file-texts";
import { type ArchiveAnswer, archiveJob, type EntryPlace, type ListedFile } from "./archive-job";
import { archivedFileTexts, archiveLimits, archiveTexts, holdsFiles, isPassedOver } from "./archive-rules";

export interface ArchivedFile extends Omit<ListedFile, "entry"> {
  /** Throws `DamagedInArchive`. */
  read(): AsyncGenerator<Buffer>;
}

export class ArchiveRefused extends Error {}

export class DamagedInArchive extends Error {}

/** Includes folders and skipped files; no archive of images has more. */
const MAX_ENTRIES = 5 * archiveLimits.files;

const ENCRYPTED = 0x1;
const UTF8 = 0x800;
const UNICODE_PATH = 0x7075;
const UNIX = 3;
const KIND_OF_FILE = 0o170000;
const PLAIN_FILES = [0, 0o100000];

/**
 * Why a ZIP that is kept as it is cannot be opened, in Danish; null when it can. Its files are unpacked to nowhere, up to the limits of a ZIP
 * of images in bytes and entries, which finds a broken one without unpacking a bomb.
 */
export async function archiveFault(zipPath: string): Promise<string | null> {
  const zip = await openPromise(zipPath, { decodeStrings: false, autoClose: false }).catch(() => null);
  if (zip === null) return archiveTexts.damaged;
  let [left, entries] = [archiveLimits.bytes, 0];
  try {
    for await (const entry of zip.eachEntry()) {
      if ((entries += 1) > MAX_ENTRIES) return null;
      if (entry.generalPurposeBitFlag & ENCRYPTED) return archiveTexts.encrypted;
      if (!entry.canDecodeFileData()) continue;
      for await (const chunk of readEntry(zip, entry)) if ((left -= chunk.length) < 0) return null;
    }
    return null;
  } catch (error) {
    return archiveFaultOf(error);
  } finally {
    zip.close();
  }
}

/** yauzl reports strong encryption, which hides the directory, only by its message. */
const archiveFaultOf = (error: unknown) =>
  error instanceof Error && /strong encryption/.test(error.message) ? archiveTexts.encrypted : archiveTexts.damaged;

/** Opens a ZIP whose directory a reader process lists, in natural order. Throws `ArchiveRefused`. */
export async function withArchive<T>(
  readers: Readers,
  zipPath: string,
  requestedBy: string,
  work: (files: ArchivedFile[]) => Promise<T>,
): Promise<T> {
  const listed = await readers.read(archiveJob, { sourcePath: zipPath }, requestedBy).catch((error: unknown) => {
    throw error instanceof TooManyReading ? new ArchiveRefused(TOO_MANY_READING_TEXT) : error;
  });
  if (listed === null) throw new ArchiveRefused(archiveTexts.damaged);
  if ("refusal" in listed) throw new ArchiveRefused(listed.refusal);
  const zip = await openArchive(zipPath);
  try {
    return await work(
      listed.rows.map(({ entry, ...file }) => ({
        ...file,
        read: () => readEntry(zip, Object.assign(new Entry(), entry)),
      })),
    );
  } finally {
    zip.close();
  }
}

/** Only in a reader process. */
export async function listArchive(zipPath: string): Promise<ArchiveAnswer> {
  try {
    const zip = await openArchive(zipPath);
    try {
      const rows = await listFiles(zip);
      if (rows.length === 0) return { refusal: archiveTexts.empty };
      if (rows.length > archiveLimits.files) return { refusal: archiveTexts.tooMany };
      if (rows.every(({ refusal }) => refusal === archivedFileTexts.encrypted))
        return { refusal: archiveTexts.encrypted };
      return { rows };
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof ArchiveRefused) return { refusal: error.message };
    throw error;
  }
}

const openArchive = (zipPath: string) =>
  openPromise(zipPath, { decodeStrings: false, autoClose: false }).catch(() => {
    throw new ArchiveRefused(archiveTexts.damaged);
  });

const byName = new Intl.Collator("da", { numeric: true }).compare;

async function listFiles(zip: ZipFile): Promise<ListedFile[]> {
  if (zip.entryCount > MAX_ENTRIES) throw new ArchiveRefused(archiveTexts.tooMany);
  const files: ListedFile[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const { path, isTooLong } = shortPathOf(entry);
      if (isPassedOver(path)) continue;
      files.push({
        path,
        sizeBytes: entry.uncompressedSize,
        refusal: isTooLong ? archivedFileTexts.longName : refusalOf(entry, path),
        entry: placeOf(entry),
      });
    }
  } catch (error) {
    throw new ArchiveRefused(archiveFaultOf(error));
  }
  return files.sort((a, b) => byName(a.path, b.path));
}

function placeOf(entry: Entry): EntryPlace {
  const { relativeOffsetOfLocalHeader, compressedSize, uncompressedSize } = entry;
  const { compressionMethod, generalPurposeBitFlag, crc32: sum } = entry;
  return {
    relativeOffsetOfLocalHeader,
    compressedSize,
    uncompressedSize,
    compressionMethod,
    generalPurposeBitFlag,
    crc32: sum,
  };
}

function refusalOf(entry: Entry, path: string): string | null {
  const isUnix = entry.versionMadeBy >>> 8 === UNIX;
  if (isUnix && !PLAIN_FILES.includes((entry.externalFileAttributes >>> 16) & KIND_OF_FILE))
    return archivedFileTexts.link;
  if (entry.generalPurposeBitFlag & ENCRYPTED) return archivedFileTexts.encrypted;
  if (holdsFiles(path)) return archivedFileTexts.nested;
  return entry.canDecodeFileData() ? null : archivedFileTexts.method;
}

/** Unpacked bytes are checked against the directory's size and checksum. */
async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch {
    throw new DamagedInArchive();
  }
  if (sum !== entry.crc32) throw new DamagedInArchive();
}

/** A long path keeps its end with the file name. */
function shortPathOf(entry: Entry): { path: string; isTooLong: boolean } {
  const path = pathOf(entry);
  const isTooLong = Buffer.byteLength(path) > MAX_SENT_NAME_BYTES;
  return { path: isTooLong ? path.slice(-MAX_SENT_NAME_BYTES) : path, isTooLong };
}

/**
 * Decodes a path: UTF-8 if flagged or valid (Macs do not flag it), otherwise code page 850, which has ø where the
 * standard's 437 has ¢.
 */
function pathOf(entry: Entry): string {
  const { generalPurposeBitFlag: flags, fileNameRaw: raw, extraFields } = entry;
  if ((flags & UTF8) === 0 && !extraFields.some(({ id }) => id === UNICODE_PATH)) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(raw);
    } catch {
      return getFileNameLowLevel(flags, raw, extraFields, false).replace(/¢/g, "ø").replace(/¥/g, "Ø");
    }
  }
  return getFileNameLowLevel(flags, raw, extraFields, false);
}
