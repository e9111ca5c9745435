import { type FileHandle, open, readFile } from "node:fs/promises";
import { constants as zlibConstants, createInflateRaw, inflateRawSync } from "node:zlib";
import dicomParser from "dicom-parser";
import { DicomError } from "./dicom-error";
import { MAX_DECODED_BYTES } from "./dicom-pixels";

/** What we read of a DICOM header. Text is decoded and free of control characters; absent or unreadable values are null. */
export interface DicomHeader {
  transferSyntax: string;
  patientId: string | null;
  /** Given name first: "Søren Åkjær". */
  patientName: string | null;
  /** ISO date, YYYY-MM-DD. */
  studyDate: string | null;
  modality: string | null;
  rows: number | null;
  columns: number | null;
  samplesPerPixel: number;
  bitsAllocated: number;
  photometricInterpretation: string;
  frames: number;
  /**
   * Where the pixels lie in the file, in bytes. `length` is undefined when they are encapsulated (compressed); `isInWords`: written as
   * words of 16 bits. Undefined when there are none, or when the whole data set is deflated.
   */
  pixels: { dataOffset: number; length: number | undefined; isInWords: boolean } | undefined;
  dataSet: dicomParser.DataSet;
}

const DEFLATED = "1.2.840.10008.1.2.1.99";
export const BIG_ENDIAN = "1.2.840.10008.1.2.2";
const PIXEL_DATA = "x7fe00010";
const UNDEFINED_LENGTH = 0xffffffff;
const PREAMBLE_BYTES = 128;

// Headers are a few kilobytes; with icons and per-frame groups of a CBCT they have been seen at 2 MB. The parser builds
// an object per element, so this limit is also what keeps a hostile header from filling the memory.
const HEADER_ATTEMPTS = [256 * 1024, 4 * 1024 * 1024];
const MOST_FRAGMENTS = 100_000;

/** @returns whether the file is DICOM Part 10: 'DICM' after a preamble of 128 bytes. */
export function looksLikeDicom(head: Uint8Array): boolean {
  return (
    Buffer.from(head.buffer, head.byteOffset, head.byteLength)
      .subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + 4)
      .toString("latin1") === "DICM"
  );
}

/**
 * Reads the header of a DICOM Part 10 file; at most 4 MB of it, never the pixels.
 * @throws DicomError `notDicom` or `damaged`
 */
export async function readDicomHeader(path: string): Promise<DicomHeader> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    for (const attempt of HEADER_ATTEMPTS) {
      const bytes = await readAt(file, 0, Math.min(attempt, size));
      const isWhole = bytes.length === size;
      const header = await parseDicomHeader(bytes, isWhole);
      if (header !== undefined) return header;
    }
    throw new DicomError("damaged", "the header does not end");
  } finally {
    await file.close();
  }
}

/**
 * Parses a header from the first bytes of a file.
 * @param isWhole whether `bytes` is the whole file; if not, a header that runs past them answers undefined (read more)
 * @throws DicomError `notDicom` or `damaged`
 */
export async function parseDicomHeader(bytes: Uint8Array, isWhole: boolean): Promise<DicomHeader | undefined> {
  if (!looksLikeDicom(bytes)) throw new DicomError("notDicom", "no DICM prefix");
  try {
    const meta = dicomParser.readPart10Header(bytes, { untilTag: "" });
    const transferSyntax = meta.string("x00020010");
    if (transferSyntax === undefined) throw new DicomError("damaged", "no transfer syntax");
    const isDeflated = transferSyntax === DEFLATED;
    const inflated = isDeflated ? await inflateStart(bytes, meta) : undefined;
    const dataSet = dicomParser.parseDicom(bytes, {
      untilTag: PIXEL_DATA,
      ...(inflated === undefined ? {} : { inflater: () => inflated }),
    });
    if (!isWhole && !isDeflated && dataSet.elements[PIXEL_DATA] === undefined) return undefined;
    return describe(dataSet, transferSyntax, isDeflated);
  } catch (error) {
    if (error instanceof DicomError) throw error;
    if (!isWhole) return undefined;
    // dicom-parser throws strings and plain objects as well as errors; none of them carries patient data.
    throw new DicomError("damaged", error instanceof Error ? error.message : String(error));
  }
}

function describe(dataSet: dicomParser.DataSet, transferSyntax: string, isDeflated: boolean): DicomHeader {
  const decode = textDecoder(ascii(dataSet, "x00080005"));
  const text = (tag: string) => cleanText(rawBytes(dataSet, tag), decode);
  const element = dataSet.elements[PIXEL_DATA];
  return {
    transferSyntax,
    patientId: text("x00100020"),
    patientName: personName(text("x00100010")),
    studyDate: isoDate(ascii(dataSet, "x00080020")),
    modality: text("x00080060"),
    rows: dataSet.uint16("x00280010") ?? null,
    columns: dataSet.uint16("x00280011") ?? null,
    samplesPerPixel: dataSet.uint16("x00280002") ?? 1,
    bitsAllocated: dataSet.uint16("x00280100") ?? 8,
    photometricInterpretation: ascii(dataSet, "x00280004") ?? "",
    frames: frameCount(ascii(dataSet, "x00280008")),
    pixels:
      element === undefined || isDeflated
        ? undefined
        : {
            dataOffset: element.dataOffset,
            length: element.length === UNDEFINED_LENGTH ? undefined : element.length,
            isInWords: element.vr === "OW",
          },
    dataSet,
  };
}

/** NumberOfFrames is text (VR IS). Anything but a whole number above 0 means the file cannot be trusted. */
function frameCount(value: string | undefined): number {
  if (value === undefined || value === "") return 1;
  if (!/^\+?\d{1,9}$/.test(value) || Number(value) === 0) throw new DicomError("damaged", "number of frames");
  return Number(value);
}

/**
 * Checks that the pixels the header promises are in the file.
 * @throws DicomError `damaged` when they are cut short or their fragments do not add up
 */
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
 * One frame's bytes as they are stored, so that a CBCT volume of 600 MB costs one slice of memory.
 * @param frame 0-based
 * @throws DicomError
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

/** A deflated data set is only readable from its beginning: it is inflated whole, as far as the limit goes. */
async function readDeflatedFrame(path: string, header: DicomHeader, frame: number): Promise<Buffer> {
  const compressed = await readFile(path);
  const meta = dicomParser.readPart10Header(compressed, { untilTag: "" });
  const inflated = inflate(compressed.subarray(deflatedFrom(meta)));
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
  // Frames of 1-bit pixels need not begin at a byte; nobody sends such series to a surgeon.
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
  /** First byte of the content, from the start of the file. */
  offset: number;
  length: number;
}

/** Which fragments make a frame: all of them, one each, or as the basic offset table says (DICOM PS3.5 A.4). */
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

/** The items of encapsulated pixel data, the basic offset table first. A missing delimiter at the very end is forgiven. */
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
    if (fragments.length > MOST_FRAGMENTS) throw new DicomError("damaged", "too many fragments");
    position += 8 + length;
  }
  if (position !== size || fragments.length < 2) throw new DicomError("damaged", "pixels are cut short");
  return fragments;
}

function frameBits(header: DicomHeader): number {
  const pixels = (header.rows ?? 0) * (header.columns ?? 0);
  // 4:2:2 keeps two samples for each pixel instead of three.
  const samples = header.photometricInterpretation === "YBR_FULL_422" ? 2 : header.samplesPerPixel;
  return pixels * samples * header.bitsAllocated;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Inflates the start of a deflated data set; a few kilobytes can hold gigabytes, so it stops at the header limit. */
async function inflateStart(bytes: Uint8Array, meta: dicomParser.DataSet): Promise<Uint8Array> {
  const limit = HEADER_ATTEMPTS.at(-1) ?? 0;
  const inflating = createInflateRaw({ finishFlush: zlibConstants.Z_SYNC_FLUSH });
  const parts: Buffer[] = [];
  let total = 0;
  inflating.end(bytes.subarray(deflatedFrom(meta)));
  for await (const part of inflating as AsyncIterable<Buffer>) {
    parts.push(part);
    total += part.length;
    if (total >= limit) break;
  }
  // The parser begins at byte 0 of what it is given here.
  return Buffer.concat(parts);
}

/** The first byte after the file's meta information. */
function deflatedFrom(meta: dicomParser.DataSet): number {
  return (meta as dicomParser.DataSet & { position?: number }).position ?? endOfMeta(meta);
}

function endOfMeta(meta: dicomParser.DataSet): number {
  return Math.max(...Object.values(meta.elements).map((element) => element.dataOffset + element.length));
}

function rawBytes(dataSet: dicomParser.DataSet, tag: string): Uint8Array | undefined {
  const element = dataSet.elements[tag];
  if (element === undefined || element.length === 0 || element.length > 1024) return undefined;
  return dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
}

function ascii(dataSet: dicomParser.DataSet, tag: string): string | undefined {
  const bytes = rawBytes(dataSet, tag);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("latin1").replace(/\0+$/, "").trim();
}

/** Labels of TextDecoder for the single-byte character sets of DICOM (PS3.3 C.12.1.1.2). */
const characterSets: Readonly<Record<string, string>> = {
  "ISO_IR 100": "iso-8859-1",
  "ISO_IR 101": "iso-8859-2",
  "ISO_IR 109": "iso-8859-3",
  "ISO_IR 110": "iso-8859-4",
  "ISO_IR 126": "iso-8859-7",
  "ISO_IR 127": "iso-8859-6",
  "ISO_IR 138": "iso-8859-8",
  "ISO_IR 144": "iso-8859-5",
  "ISO_IR 148": "iso-8859-9",
  "ISO_IR 192": "utf-8",
};

/** Many devices write Danish letters without naming a character set: read those as UTF-8 where they are, else as Latin 1. */
function textDecoder(specificCharacterSet: string | undefined): (bytes: Uint8Array) => string {
  const named = (specificCharacterSet ?? "").split("\\")[0]?.trim().replace("ISO 2022 IR", "ISO_IR") ?? "";
  const label = characterSets[named];
  if (label !== undefined) return (bytes) => new TextDecoder(label).decode(bytes);
  return (bytes) => {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return new TextDecoder("iso-8859-1").decode(bytes);
    }
  };
}

function cleanText(bytes: Uint8Array | undefined, decode: (bytes: Uint8Array) => string): string | null {
  if (bytes === undefined) return null;
  const text = decode(bytes)
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200);
  return text === "" ? null : text;
}

/** DICOM writes "Family^Given^Middle^Prefix^Suffix", and other scripts after '='. */
function personName(value: string | null): string | null {
  const [family = "", given = "", middle = ""] = (value ?? "").split("=")[0]?.split("^") ?? [];
  const name = [given, middle, family]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ");
  return name === "" ? null : name;
}

function isoDate(value: string | undefined): string | null {
  const match = /^(\d{4})\.?(\d{2})\.?(\d{2})$/.exec(value ?? "");
  if (match === null) return null;
  const [, year = "", month = "", day = ""] = match;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const isReal = !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
  return isReal ? `${year}-${month}-${day}` : null;
}
