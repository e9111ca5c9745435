import type { FileHandle } from "node:fs/promises";
import type dicomParser from "dicom-parser";

export const DEFLATED = "1.2.840.10008.1.2.1.99";
export const SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.7";
export const PIXEL_DATA = "x7fe00010";
export const UNDEFINED_LENGTH = 0xffffffff;

// Headers have a few kilobytes, CBCT ones up to 2 MB. The parser creates an object per element, so this also limits
// memory for hostile headers.
export const HEADER_ATTEMPTS = [256 * 1024, 4 * 1024 * 1024];

/**
 * Reads `length` bytes at `position`, and fewer only at the end of the file. It loops because one `read` may return
 * less than was asked for.
 */
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

export function dataSetBegins(meta: dicomParser.DataSet): number {
  return (meta as dicomParser.DataSet & { position?: number }).position ?? endOfMeta(meta);
}

function endOfMeta(meta: dicomParser.DataSet): number {
  return Math.max(...Object.values(meta.elements).map((element) => element.dataOffset + element.length));
}
