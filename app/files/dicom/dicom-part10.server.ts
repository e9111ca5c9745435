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

/** Byte range of the patient id element (0010,0020); `from` equals `to` if absent. */
export interface PatientIdSpan {
  from: number;
  to: number;
  isImplicit: boolean;
}

const PATIENT_ID = "x00100020";
/** Group length of 0010 in old files, which would have to change too. */
const GROUP_LENGTH = "x00100000";
const IMPLICIT = "1.2.840.10008.1.2";
/** Big endian and deflated. */
const NOT_WRITABLE = ["1.2.840.10008.1.2.2", "1.2.840.10008.1.2.1.99"];
const LONG_FORMS = ["OB", "OD", "OF", "OL", "OW", "SQ", "UC", "UN", "UR", "UT"];
const HEAD_BYTES = 8;

/** Null if the id cannot be replaced alone: big endian, deflated, or with a group length. */
export function patientIdSpan(dataSet: dicomParser.DataSet, transferSyntax: string): PatientIdSpan | null {
  if (NOT_WRITABLE.includes(transferSyntax) || dataSet.elements[GROUP_LENGTH] !== undefined) return null;
  const isImplicit = transferSyntax === IMPLICIT;
  const own = dataSet.elements[PATIENT_ID];
  const next = Object.values(dataSet.elements)
    .filter(({ tag }) => tag > PATIENT_ID)
    .sort((one, other) => one.dataOffset - other.dataOffset)[0];
  const element = own ?? next;
  if (element === undefined || (!isImplicit && LONG_FORMS.includes(element.vr ?? "UN"))) return null;
  const from = element.dataOffset - HEAD_BYTES;
  return { from, to: own === undefined ? from : own.dataOffset + own.length, isImplicit };
}

export function patientIdElement(patientId: string, { isImplicit }: PatientIdSpan): Buffer {
  const value = Buffer.from(patientId.length % 2 === 0 ? patientId : `${patientId} `, "latin1");
  const head = Buffer.from([0x10, 0x00, 0x20, 0x00, 0x4c, 0x4f, 0, 0]);
  if (isImplicit) head.writeUInt32LE(value.length, 4);
  else head.writeUInt16LE(value.length, 6);
  return Buffer.concat([head, value]);
}
