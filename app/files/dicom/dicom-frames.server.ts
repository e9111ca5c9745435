import { type FileHandle, open, readFile } from "node:fs/promises";
import { constants as zlibConstants, inflateRawSync } from "node:zlib";
import dicomParser from "dicom-parser";
import { DicomError, MAX_DECODED_BYTES } from "./dicom-pixels";
import type { DicomHeader } from "./dicom-header.server";
import { DEFLATED, dataSetBegins, HEADER_ATTEMPTS, PIXEL_DATA, readAt } from "./dicom-part10.server";

export const BIG_ENDIAN = "1.2.840.10008.1.2.2";
const MAX_FRAGMENTS = 100_000;

/** Checks that the file has the pixels its header promises. @throws DicomError `damaged` */
export async function checkDicomPixels(path: string, header: DicomHeader): Promise<void> {
  if (header.pixels === undefined) return;
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (header.pixels.length === undefined) {
      await readFragments(file, header.pixels.dataOffset, size);
      return;
    }
    if (header.pixels.dataOffset + header.pixels.length > size) throw new DicomError("damaged", "pixels are cut short");
    const needed = Math.ceil(frameBits(header) / 8) * header.frames;
    if (header.pixels.length < needed) throw new DicomError("damaged", "fewer pixels than promised");
  } finally {
    await file.close();
  }
}

/**
 * Stored bytes of one frame, so that a 600 MB CBCT needs memory for one slice. @param frame 0-based @throws DicomError
 */
export async function readDicomFrame(path: string, header: DicomHeader, frame: number): Promise<Buffer> {
  const { pixels } = header;
  if (frame < 0 || frame >= header.frames) throw new DicomError("noFrame", "no such frame");
  if (header.transferSyntax === DEFLATED) return readDeflatedFrame(path, header, frame);
  if (pixels === undefined) throw new DicomError("unsupported", "no pixels");
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    return pixels.length === undefined
      ? await readEncapsulatedFrame(file, header, pixels.dataOffset, frame, size)
      : await readPlainFrame(file, header, pixels.dataOffset, frame);
  } finally {
    await file.close();
  }
}

/** Deflated data can only be inflated from the start, up to the limit. */
async function readDeflatedFrame(path: string, header: DicomHeader, frame: number): Promise<Buffer> {
  const compressed = await readFile(path);
  const meta = dicomParser.readPart10Header(compressed, { untilTag: "" });
  const inflated = inflate(compressed.subarray(dataSetBegins(meta)));
  const element = dicomParser.parseDicom(compressed, { untilTag: PIXEL_DATA, inflater: () => inflated }).elements[
    PIXEL_DATA
  ];
  if (element === undefined) throw new DicomError("unsupported", "no pixels");
  const bytes = Math.ceil(frameBits(header) / 8);
  const from = element.dataOffset + bytes * frame;
  if (from + bytes > inflated.length) throw new DicomError("damaged", "pixels are cut short");
  return Buffer.from(inflated.subarray(from, from + bytes));
}

function inflate(bytes: Uint8Array): Buffer {
  try {
    return inflateRawSync(bytes, {
      maxOutputLength: MAX_DECODED_BYTES + (HEADER_ATTEMPTS.at(-1) ?? 0),
      finishFlush: zlibConstants.Z_SYNC_FLUSH,
    });
  } catch (error) {
    const isTooLong = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    throw new DicomError(isTooLong ? "tooManyPixels" : "damaged", "deflated data set");
  }
}

async function readPlainFrame(file: FileHandle, header: DicomHeader, from: number, frame: number): Promise<Buffer> {
  const bits = frameBits(header);
  if (bits % 8 !== 0 && header.frames > 1) throw new DicomError("unsupported", "frames between bytes");
  const bytes = Math.ceil(bits / 8);
  if (bytes > MAX_DECODED_BYTES) throw new DicomError("tooManyPixels", "frame too big");
  const data = await readAt(file, from + bytes * frame, bytes);
  if (data.length < bytes) throw new DicomError("damaged", "pixels are cut short");
  return data;
}

async function readEncapsulatedFrame(
  file: FileHandle,
  header: DicomHeader,
  from: number,
  frame: number,
  size: number,
): Promise<Buffer> {
  const [offsetTable, ...fragments] = await readFragments(file, from, size);
  if (offsetTable === undefined || fragments.length === 0) throw new DicomError("damaged", "no fragments");
  const chosen = await fragmentsOfFrame(file, offsetTable, fragments, header.frames, frame);
  const total = chosen.reduce((sum, fragment) => sum + fragment.length, 0);
  if (total > MAX_DECODED_BYTES) throw new DicomError("tooManyPixels", "frame too big");
  const parts: Buffer[] = [];
  for (const fragment of chosen) parts.push(await readAt(file, fragment.offset, fragment.length));
  return Buffer.concat(parts);
}

interface Fragment {
  offset: number;
  length: number;
}

/** Fragments of a frame: all, one each, or by the basic offset table (DICOM PS3.5 A.4). */
async function fragmentsOfFrame(
  file: FileHandle,
  offsetTable: Fragment,
  fragments: Fragment[],
  frames: number,
  frame: number,
): Promise<Fragment[]> {
  if (frames === 1) return fragments;
  if (fragments.length === frames) return fragments.slice(frame, frame + 1);
  if (offsetTable.length < frames * 4) throw new DicomError("unsupported", "no offset table");
  const table = await readAt(file, offsetTable.offset, frames * 4);
  const base = offsetTable.offset + offsetTable.length;
  const start = base + table.readUInt32LE(frame * 4);
  const end = frame + 1 < frames ? base + table.readUInt32LE(frame * 4 + 4) : Infinity;
  const chosen = fragments.filter(({ offset }) => offset - 8 >= start && offset - 8 < end);
  if (chosen.length === 0) throw new DicomError("damaged", "offset table");
  return chosen;
}

/** Items of encapsulated pixel data, offset table first. A missing final delimiter is accepted. */
async function readFragments(file: FileHandle, from: number, size: number): Promise<Fragment[]> {
  const fragments: Fragment[] = [];
  let position = from;
  while (position + 8 <= size) {
    const head = await readAt(file, position, 8);
    const group = head.readUInt16LE(0);
    const element = head.readUInt16LE(2);
    const length = head.readUInt32LE(4);
    if (group === 0xfffe && element === 0xe0dd) return fragments;
    if (group !== 0xfffe || element !== 0xe000) throw new DicomError("damaged", "not a fragment");
    if (position + 8 + length > size) throw new DicomError("damaged", "pixels are cut short");
    fragments.push({ offset: position + 8, length });
    if (fragments.length > MAX_FRAGMENTS) throw new DicomError("damaged", "too many fragments");
    position += 8 + length;
  }
  if (position !== size || fragments.length < 2) throw new DicomError("damaged", "pixels are cut short");
  return fragments;
}

function frameBits(header: DicomHeader): number {
  const pixels = (header.rows ?? 0) * (header.columns ?? 0);
  // 4:2:2 stores two samples per pixel.
  const samples = header.photometricInterpretation === "YBR_FULL_422" ? 2 : header.samplesPerPixel;
  return pixels * samples * header.bitsAllocated;
}
