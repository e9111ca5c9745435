import { crc32 } from "node:zlib";
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { MAX_SENT_NAME_BYTES } from "../file-name";
import { archivedFileTexts, archiveLimits, archiveTexts, holdsFiles, isPassedOver } from "./archive-rules";

/** A file of a ZIP, without what operating systems add. It is unpacked only when it is read. */
export interface ArchivedFile {
  /** As the archive has it, with folders: never a path of this machine. */
  path: string;
  /** As the archive claims; what is read may be stopped, not trusted. */
  sizeBytes: number;
  /** Why it is not taken, in Danish; null when it may be read. */
  refusal: string | null;
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

/** Opens a ZIP for `work`: its files by their names, as people count. Throws `ArchiveRefused` for one that cannot be taken as a whole. */
export async function withArchive<T>(zipPath: string, work: (files: ArchivedFile[]) => Promise<T>): Promise<T> {
  const zip = await openPromise(zipPath, { decodeStrings: false, autoClose: false }).catch(() => {
    throw new ArchiveRefused(archiveTexts.damaged);
  });
  try {
    const files = await listFiles(zip);
    if (files.length === 0) throw new ArchiveRefused(archiveTexts.empty);
    if (files.length > archiveLimits.files) throw new ArchiveRefused(archiveTexts.tooMany);
    if (files.every(({ refusal }) => refusal === archivedFileTexts.encrypted))
      throw new ArchiveRefused(archiveTexts.encrypted);
    return await work(files);
  } finally {
    zip.close();
  }
}

const byName = new Intl.Collator("da", { numeric: true }).compare;

async function listFiles(zip: ZipFile): Promise<ArchivedFile[]> {
  if (zip.entryCount > MAX_ENTRIES) throw new ArchiveRefused(archiveTexts.tooMany);
  const files: ArchivedFile[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const { path, isTooLong } = shortPathOf(entry);
      if (isPassedOver(path)) continue;
      files.push({
        path,
        sizeBytes: entry.uncompressedSize,
        refusal: isTooLong ? archivedFileTexts.longName : refusalOf(entry, path),
        read: () => readEntry(zip, entry),
      });
    }
  } catch (error) {
    throw new ArchiveRefused(archiveFaultOf(error));
  }
  return files.sort((a, b) => byName(a.path, b.path));
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
