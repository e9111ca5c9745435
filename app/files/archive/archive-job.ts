import { readerJob } from "../reading/reader-job";

/** A file of a ZIP as its directory lists it, without what operating systems add. */
export interface ListedFile {
  /** As the archive has it, with folders: never a path of this machine. */
  path: string;
  /** As the archive claims; what is read may be stopped, not trusted. */
  sizeBytes: number;
  /** Why it is not taken, in Danish; null when it may be read. */
  refusal: string | null;
  entry: EntryPlace;
}

/** Of yauzl's entry, what unpacking needs. */
export interface EntryPlace {
  relativeOffsetOfLocalHeader: number;
  compressedSize: number;
  uncompressedSize: number;
  compressionMethod: number;
  generalPurposeBitFlag: number;
  crc32: number;
}

/** The files by their names, as people count, or why the ZIP as a whole is refused, in Danish. */
export type ArchiveAnswer = { rows: ListedFile[] } | { refusal: string };

export const archiveJob = readerJob<{ sourcePath: string }, ArchiveAnswer>("archive", "forms");
