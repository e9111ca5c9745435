import { crc32 } from "node:zlib";
import { Entry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { MAX_SENT_NAME_BYTES } from "../file-name";
import type { Readers } from "../reading/readers.server";
import { type ArchiveAnswer, archiveJob, type EntryPlace, type ListedFile } from "./archive-job";
import { archivedFileTexts, archiveLimits, archiveTexts, holdsFiles, isPassedOver } from "./archive-rules";

/** A file of a ZIP. It is unpacked only when it is read. */
export interface ArchivedFile extends Omit<ListedFile, "entry"> {
  /** Throws `DamagedInArchive`. */
  read(): AsyncGenerator<Buffer>;
}

/** The whole of an archive is refused; its message is Danish, for the person who chose it. */
export class ArchiveRefused extends Error {}

/** A file of an archive is not what its archive says of it. */
export class DamagedInArchive extends Error {}

/** Folders and what computers add count too before they are passed over; no archive of images has so many. */
const MAX_ENTRIES = 5 * archiveLimits.files;

const ENCRYPTED = 0x1;
const UTF8 = 0x800;
const UNICODE_PATH = 0x7075;
const UNIX = 3;
const KIND_OF_FILE = 0o170000;
const PLAIN_FILES = [0, 0o100000];

/**
 * Why a ZIP that is kept as it is cannot be opened, in Danish; null when it can. Its files are unpacked to nowhere, up to the limit of a ZIP of
 * images, which finds a broken one without unpacking a bomb.
 */
export async function archiveFault(zipPath: string): Promise<string | null> {
  const zip = await openPromise(zipPath, { decodeStrings: false, autoClose: false }).catch(() => null);
  if (zip === null) return archiveTexts.damaged;
  let left = archiveLimits.bytes;
  try {
    for await (const entry of zip.eachEntry()) {
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

/** yauzl reports Windows' strong encryption, which hides the list of files, by its message alone. */
const archiveFaultOf = (error: unknown) =>
  error instanceof Error && /strong encryption/.test(error.message) ? archiveTexts.encrypted : archiveTexts.damaged;

/**
 * Opens a ZIP for `work`, its directory read where it can do no harm: its files by their names, as people count. Throws `ArchiveRefused` for one
 * that cannot be taken as a whole.
 */
export async function withArchive<T>(
  readers: Readers,
  zipPath: string,
  work: (files: ArchivedFile[]) => Promise<T>,
): Promise<T> {
  const listed = await readers.read(archiveJob, { sourcePath: zipPath }, "uploads");
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

/** Only in a process that reads hostile files. */
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

/** What is unpacked is held against the size and the sum that the archive gives for it. */
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

/** A path that is too long keeps the end, where the file's own name is: paths are sorted as people count, and each is shown. */
function shortPathOf(entry: Entry): { path: string; isTooLong: boolean } {
  const path = pathOf(entry);
  const isTooLong = Buffer.byteLength(path) > MAX_SENT_NAME_BYTES;
  return { path: isTooLong ? path.slice(-MAX_SENT_NAME_BYTES) : path, isTooLong };
}

/**
 * A name is UTF-8 where the archive says so, and also where its bytes are: Macs do not say it. Otherwise it is the old code page of Windows, which
 * in Denmark has ø where the one in the standard has ¢.
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
