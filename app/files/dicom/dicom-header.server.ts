import { open } from "node:fs/promises";
import { constants as zlibConstants, createInflateRaw } from "node:zlib";
import dicomParser from "dicom-parser";
import { DicomError } from "./dicom-pixels";
import {
  DEFLATED,
  dataSetBegins,
  HEADER_ATTEMPTS,
  PIXEL_DATA,
  readAt,
  UNDEFINED_LENGTH,
  type PatientIdSpan,
  patientIdSpan,
} from "./dicom-part10.server";
import { ascii, lineOf, isoDate, personName, rawBytes, textDecoder, westernName } from "./dicom-text.server";

export interface DicomHeader {
  transferSyntax: string;
  patientId: string | null;
  /** Byte range of the patient id; null if it cannot be replaced in place. */
  patientIdSpan: PatientIdSpan | null;
  patientName: string | null;
  birthDate: string | null;
  /** Day of the exposure, else of the study, else of the content. */
  studyDate: string | null;
  sopClass: string | null;
  sopInstance: string | null;
  study: string | null;
  series: string | null;
  instanceNumber: number | null;
  orientation: PatientOrientation | null;
  dataSetOffset: number;
  modality: string | null;
  rows: number | null;
  columns: number | null;
  samplesPerPixel: number;
  bitsAllocated: number;
  photometricInterpretation: string;
  frames: number;
  /**
   * Byte position of the pixels. `length` undefined when encapsulated; `isInWords`: 16-bit words. Undefined without
   * pixels or if the data set is deflated.
   */
  pixels: { dataOffset: number; length: number | undefined; isInWords: boolean } | undefined;
  dataSet: dicomParser.DataSet;
}

/**
 * Where the picture's right and lower edge lie on the patient, as DICOM PS3.3 C.7.6.1.1.1 writes it: A, P, R, L, H or F,
 * the strongest direction first.
 */
export type PatientOrientation = [right: string, bottom: string];

/** AcquisitionDate, StudyDate, ContentDate. */
const EXPOSURE_DAYS = ["x00080022", "x00080020", "x00080023"];

const PREAMBLE_BYTES = 128;

/** @returns whether it is DICOM Part 10: 'DICM' after 128 bytes */
export function looksLikeDicom(head: Uint8Array): boolean {
  return (
    Buffer.from(head.buffer, head.byteOffset, head.byteLength)
      .subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + 4)
      .toString("latin1") === "DICM"
  );
}

/** Reads a DICOM Part 10 header, at most 4 MB and never the pixels. @throws DicomError `notDicom` or `damaged` */
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
 * Parses a header from a file's first bytes. @param isWhole whether `bytes` is the whole file; otherwise a longer
 * header returns undefined @throws DicomError `notDicom` or `damaged`
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
    return {
      ...describe(dataSet, transferSyntax, isDeflated),
      patientIdSpan: patientIdSpan(dataSet, transferSyntax),
      dataSetOffset: dataSetBegins(meta),
    };
  } catch (error) {
    if (error instanceof DicomError) throw error;
    if (!isWhole) return undefined;
    // dicom-parser also throws strings and plain objects; none contain patient data.
    throw new DicomError("damaged", error instanceof Error ? error.message : String(error));
  }
}

function describe(
  dataSet: dicomParser.DataSet,
  transferSyntax: string,
  isDeflated: boolean,
): Omit<DicomHeader, "dataSetOffset" | "patientIdSpan"> {
  const decode = textDecoder(ascii(dataSet, "x00080005"));
  const text = (tag: string) => lineOf(rawBytes(dataSet, tag), decode);
  const element = dataSet.elements[PIXEL_DATA];
  return {
    transferSyntax,
    patientId: text("x00100020"),
    patientName: personName(lineOf(westernName(rawBytes(dataSet, "x00100010")), decode)),
    birthDate: isoDate(ascii(dataSet, "x00100030")),
    studyDate: EXPOSURE_DAYS.map((tag) => isoDate(ascii(dataSet, tag))).find((day) => day !== null) ?? null,
    sopClass: uid(dataSet, "x00080016"),
    sopInstance: uid(dataSet, "x00080018"),
    study: uid(dataSet, "x0020000d"),
    series: uid(dataSet, "x0020000e"),
    instanceNumber: wholeNumber(ascii(dataSet, "x00200013")),
    orientation: orientationIn(ascii(dataSet, "x00200020")),
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

/** Digits and dots, at most 64 (DICOM PS3.5, 9.1); otherwise null. */
function uid(dataSet: dicomParser.DataSet, tag: string): string | null {
  const value = ascii(dataSet, tag) ?? "";
  return /^\d[\d.]{0,63}$/.test(value) ? value : null;
}

/** Null unless both edges are directions of a human body. */
function orientationIn(value: string | undefined): PatientOrientation | null {
  const [, right, bottom] = /^([APRLHF]{1,3}) *\\ *([APRLHF]{1,3})$/.exec(value ?? "") ?? [];
  return right === undefined || bottom === undefined ? null : [right, bottom];
}

/** VR IS; null unless a whole number of at most nine digits. */
const wholeNumber = (value: string | undefined) => (/^[+-]?\d{1,9}$/.test(value ?? "") ? Number(value) : null);

function frameCount(value: string | undefined): number {
  if (value === undefined || value === "") return 1;
  if (!/^\+?\d{1,9}$/.test(value) || Number(value) === 0) throw new DicomError("damaged", "number of frames");
  return Number(value);
}

/** Inflates the start of a deflated data set up to the header limit, since kilobytes can hold gigabytes. */
async function inflateStart(bytes: Uint8Array, meta: dicomParser.DataSet): Promise<Uint8Array> {
  const limit = HEADER_ATTEMPTS.at(-1) ?? 0;
  const inflating = createInflateRaw({ finishFlush: zlibConstants.Z_SYNC_FLUSH });
  const parts: Buffer[] = [];
  let total = 0;
  inflating.end(bytes.subarray(dataSetBegins(meta)));
  for await (const part of inflating as AsyncIterable<Buffer>) {
    parts.push(part);
    total += part.length;
    if (total >= limit) break;
  }
  // The parser expects the data at byte 0.
  return Buffer.concat(parts);
}
