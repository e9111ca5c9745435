import type { FileHandle } from "node:fs/promises";
import type dicomParser from "dicom-parser";

/** The transfer syntax of a data set that is compressed as a whole. */
export const DEFLATED = "1.2.840.10008.1.2.1.99";
/** The class of a picture that was made a DICOM file. */
export const SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.7";
export const PIXEL_DATA = "x7fe00010";
/** The length that encapsulated pixels name. */
export const UNDEFINED_LENGTH = 0xffffffff;

// Headers are a few kilobytes; with icons and per-frame groups of a CBCT they have been seen at 2 MB. The parser builds
// an object per element, so this limit is also what keeps a hostile header from filling the memory.
export const HEADER_ATTEMPTS = [256 * 1024, 4 * 1024 * 1024];

/** Fewer than `length` bytes where the file ends before. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The first byte after the file's meta information. */
export function dataSetBegins(meta: dicomParser.DataSet): number {
  return (meta as dicomParser.DataSet & { position?: number }).position ?? endOfMeta(meta);
}

function endOfMeta(meta: dicomParser.DataSet): number {
  return Math.max(...Object.values(meta.elements).map((element) => element.dataOffset + element.length));
}
