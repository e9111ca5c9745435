import type dicomParser from "dicom-parser";
import { decodeFrame } from "./dicom-decode.server";
import {
  DicomError,
  drawColour,
  drawGrey,
  drawPalette,
  MAX_DRAWN_PIXELS,
  type Picture,
  type GreyWindow,
  type LookUpTable,
  type ModalityTransform,
  type PixelFormat,
} from "./dicom-pixels";
import { BIG_ENDIAN, readDicomFrame } from "./dicom-frames.server";
import { readDicomHeader } from "./dicom-header.server";
import type { WindowAdjustment } from "~/files/previews/preview-result";

/**
 * Draws a DICOM frame. @param frame 0-based; default the middle one, as first slices are usually empty @throws
 * DicomError; `unsupported` rather than a misleading picture
 */
export async function drawDicom(path: string, frame: number | undefined, tone?: WindowAdjustment): Promise<Picture> {
  const header = await readDicomHeader(path);
  const nth = frame ?? Math.floor(header.frames / 2);
  if (nth >= header.frames) throw new DicomError("noFrame", `frame ${nth} of ${header.frames}`);
  const { format, modality, voi, padding, palette } = readFrameAttributes(header.dataSet, nth);
  if (format.rows * format.columns > MAX_DRAWN_PIXELS)
    throw new DicomError("tooManyPixels", `${format.columns} × ${format.rows}`);
  const bytes = await readDicomFrame(path, header, nth);
  const { samples, isPlanar, colours } = await decodeFrame(bytes, format, {
    transferSyntax: header.transferSyntax,
    isBigEndian: header.transferSyntax === BIG_ENDIAN,
    isInWords: header.pixels?.isInWords ?? false,
  });
  if (format.samples === 3) return drawColour(samples, { ...format, isPlanar }, colours, tone);
  if (palette !== undefined) return drawPalette(samples, format, palette, tone);
  if (format.photometric === "MONOCHROME1" || format.photometric === "MONOCHROME2")
    return drawGrey(samples, { format, modality, voi, padding }, tone);
  throw new DicomError("unsupported", `one sample of ${format.photometric}`);
}

/** Attributes that turn a frame's values into a picture (DICOM PS3.3 C.7.6.3, C.11.1, C.11.2). */
export interface FrameAttributes {
  format: PixelFormat;
  modality: ModalityTransform;
  voi: LookUpTable | GreyWindow | undefined;
  padding: { from: number; to: number } | undefined;
  palette: readonly [LookUpTable, LookUpTable, LookUpTable] | undefined;
}

const unsupported = (why: string) => new DicomError("unsupported", why);

/**
 * @param frame 0-based; enhanced multi-frame files have windows per frame @throws DicomError `unsupported` for anything
 * that would be drawn differently than the file says
 */
export function readFrameAttributes(dataSet: dicomParser.DataSet, frame: number): FrameAttributes {
  const format = readPixelFormat(dataSet);
  return {
    format,
    modality: readModality(dataSet, frame, format.isSigned),
    voi: readVoi(dataSet, frame, format.isSigned),
    padding: readPadding(dataSet, format),
    palette: format.photometric === "PALETTE COLOR" ? readPalette(dataSet) : undefined,
  };
}

function readPixelFormat(dataSet: dicomParser.DataSet): PixelFormat {
  const bitsAllocated = dataSet.uint16("x00280100") ?? 0;
  const bitsStored = dataSet.uint16("x00280101") ?? bitsAllocated;
  const format: PixelFormat = {
    rows: dataSet.uint16("x00280010") ?? 0,
    columns: dataSet.uint16("x00280011") ?? 0,
    samples: dataSet.uint16("x00280002") ?? 1,
    bitsAllocated,
    bitsStored,
    highBit: dataSet.uint16("x00280102") ?? bitsStored - 1,
    isSigned: dataSet.uint16("x00280103") === 1,
    isPlanar: dataSet.uint16("x00280006") === 1,
    photometric: (dataSet.string("x00280004") ?? "").trim(),
  };
  if (format.rows === 0 || format.columns === 0) throw unsupported("no pixels");
  if (format.samples !== 1 && format.samples !== 3) throw unsupported(`${format.samples} samples per pixel`);
  if (![8, 16, 32].includes(bitsAllocated)) throw unsupported(`${bitsAllocated} bits allocated`);
  if (bitsStored < 1 || format.highBit >= bitsAllocated || format.highBit < bitsStored - 1)
    throw unsupported("bits stored");
  if (format.samples === 1 && bitsStored > 16) throw unsupported(`${bitsStored} bits of grey`);
  return format;
}

function readModality(dataSet: dicomParser.DataSet, frame: number, isSigned: boolean): ModalityTransform {
  const table = readTableSequence(dataSet, "x00283000", isSigned);
  if (table !== undefined) return table;
  const source = sourceOf(dataSet, frame, "x00281053", "x00289145");
  const slope = source.floatString("x00281053") ?? 1;
  const intercept = source.floatString("x00281052") ?? 0;
  if (!Number.isFinite(slope) || !Number.isFinite(intercept) || slope === 0) throw unsupported("rescale");
  return { slope, intercept };
}

/** With both a table and a window a viewer may choose (PS3.3 C.11.2.1); the table is more specific. */
function readVoi(dataSet: dicomParser.DataSet, frame: number, isSigned: boolean): LookUpTable | GreyWindow | undefined {
  const source = sourceOf(dataSet, frame, "x00281050", "x00289132");
  const table = readTableSequence(source, "x00283010", isSigned) ?? readTableSequence(dataSet, "x00283010", isSigned);
  if (table !== undefined) return table;
  const centre = source.floatString("x00281050");
  const width = source.floatString("x00281051");
  if (centre === undefined || width === undefined || !Number.isFinite(centre) || !Number.isFinite(width))
    return undefined;
  const shape = shapes[(source.string("x00281056") ?? "LINEAR").trim()];
  if (shape === undefined) throw unsupported("VOI LUT function");
  if (width < (shape === "linear" ? 1 : Number.MIN_VALUE)) return undefined;
  return { centre, width, shape };
}

const shapes: Readonly<Record<string, GreyWindow["shape"] | undefined>> = {
  LINEAR: "linear",
  LINEAR_EXACT: "linearExact",
  SIGMOID: "sigmoid",
};

function readPadding(dataSet: dicomParser.DataSet, { isSigned }: PixelFormat): FrameAttributes["padding"] {
  const read = (tag: string) => (isSigned ? dataSet.int16(tag) : dataSet.uint16(tag));
  const value = read("x00280120");
  if (value === undefined) return undefined;
  const limit = read("x00280121") ?? value;
  return { from: Math.min(value, limit), to: Math.max(value, limit) };
}

function readPalette(dataSet: dicomParser.DataSet): NonNullable<FrameAttributes["palette"]> {
  const table = (colour: 1 | 2 | 3) => {
    const read = readTable(dataSet, `x0028110${colour}`, `x0028120${colour}`, false);
    if (read === undefined) throw unsupported("no palette, or one in segments");
    return read;
  };
  return [table(1), table(2), table(3)];
}

/** Where a tag is found: the data set, the frame's functional group, or the shared group. */
function sourceOf(dataSet: dicomParser.DataSet, frame: number, tag: string, groupTag: string): dicomParser.DataSet {
  if (dataSet.elements[tag] !== undefined) return dataSet;
  const ofFrame = dataSet.elements["x52009230"]?.items?.[frame]?.dataSet;
  const shared = dataSet.elements["x52009229"]?.items?.[0]?.dataSet;
  for (const group of [ofFrame, shared]) {
    const found = group?.elements[groupTag]?.items?.[0]?.dataSet;
    if (found !== undefined) return found;
  }
  return dataSet;
}

function readTableSequence(dataSet: dicomParser.DataSet, tag: string, isSigned: boolean): LookUpTable | undefined {
  const element = dataSet.elements[tag];
  if (element === undefined || element.length === 0) return undefined;
  const first = element.items?.[0]?.dataSet;
  const table = first && readTable(first, "x00283002", "x00283006", isSigned);
  if (table === undefined) throw unsupported("a look-up table that cannot be read");
  return table;
}

function readTable(
  dataSet: dicomParser.DataSet,
  descriptorTag: string,
  dataTag: string,
  isSigned: boolean,
): LookUpTable | undefined {
  const descriptor = dataSet.elements[descriptorTag];
  const data = dataSet.elements[dataTag];
  if (descriptor === undefined || descriptor.length < 6 || data === undefined) return undefined;
  const entries = dataSet.uint16(descriptorTag, 0) || 65_536;
  const hasSignedFirst = descriptor.vr === "SS" || (descriptor.vr !== "US" && isSigned);
  const firstValue = (hasSignedFirst ? dataSet.int16(descriptorTag, 1) : dataSet.uint16(descriptorTag, 1)) ?? 0;
  const bits = dataSet.uint16(descriptorTag, 2) ?? 0;
  // 8-bit entries may be packed in bytes (PS3.3 C.11.1.1.1); otherwise each has a word.
  const isPacked = bits <= 8 && data.length < entries * 2;
  if (bits < 1 || bits > 16 || data.length < (isPacked ? entries : entries * 2)) return undefined;
  const values = new Uint16Array(entries);
  let highest = 0;
  for (let at = 0; at < entries; at++) {
    const value = (isPacked ? dataSet.byteArray[data.dataOffset + at] : dataSet.uint16(dataTag, at)) ?? 0;
    values[at] = value;
    if (value > highest) highest = value;
  }
  // Some manufacturers write too few bits; the largest value decides.
  const needed = Math.max(bits, 32 - Math.clz32(highest));
  return { firstValue, values, maxValue: 2 ** needed - 1 };
}
