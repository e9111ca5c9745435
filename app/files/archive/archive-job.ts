import { readerJob } from "../reading/reader-job";

export interface ListedFile {
  /** Path inside the archive; never used on this machine. */
  path: string;
  /** As claimed by the archive; may stop reading but is not trusted. */
  sizeBytes: number;
  refusal: string | null;
  entry: EntryPlace;
}

export interface EntryPlace {
  relativeOffsetOfLocalHeader: number;
  compressedSize: number;
  uncompressedSize: number;
  compressionMethod: number;
  generalPurposeBitFlag: number;
  crc32: number;
}

export type ArchiveAnswer = { rows: ListedFile[] } | { refusal: string };

export const archiveJob = readerJob<{ sourcePath: string }, ArchiveAnswer>("archive", "forms");
