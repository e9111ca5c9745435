import type dicomParser from "dicom-parser";

export function rawBytes(dataSet: dicomParser.DataSet, tag: string): Uint8Array | undefined {
  const element = dataSet.elements[tag];
  if (element === undefined || element.length === 0 || element.length > 1024) return undefined;
  return dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
}

const withoutPadding = (bytes: Uint8Array) => bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);

export function ascii(dataSet: dicomParser.DataSet, tag: string): string | undefined {
  const bytes = rawBytes(dataSet, tag);
  return bytes === undefined ? undefined : Buffer.from(withoutPadding(bytes)).toString("latin1").trim();
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
export function textDecoder(specificCharacterSet: string | undefined): (bytes: Uint8Array) => string {
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

export function cleanText(bytes: Uint8Array | undefined, decode: (bytes: Uint8Array) => string): string | null {
  if (bytes === undefined) return null;
  const text = decode(bytes)
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200);
  return text === "" ? null : text;
}

/** DICOM writes "Family^Given^Middle^Prefix^Suffix", and other scripts after '='. */
export function personName(value: string | null): string | null {
  const [family = "", given = "", middle = ""] = (value ?? "").split("=")[0]?.split("^") ?? [];
  const name = [given, middle, family]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ");
  return name === "" ? null : name;
}

export function isoDate(value: string | undefined): string | null {
  const match = /^(\d{4})\.?(\d{2})\.?(\d{2})$/.exec(value ?? "");
  if (match === null) return null;
  const [, year = "", month = "", day = ""] = match;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const isReal = !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
  return isReal ? `${year}-${month}-${day}` : null;
}
