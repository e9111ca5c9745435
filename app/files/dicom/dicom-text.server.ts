import type dicomParser from "dicom-parser";
import { cleanLine } from "~/text/normalise";

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

/** TextDecoder labels of DICOM's single-byte character sets (PS3.3 C.12.1.1.2). */
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

/** Replaces unreadable text; never empty, so that an unreadable name does not pass as no name. */
const UNREADABLE = "ukendt";

const UNNAMED = ["", "ISO_IR 6"];
const ESCAPE = 0x1b;

const isAscii = (bytes: Uint8Array) => bytes.every((byte) => byte < 0x80);
/** Latin-1 control characters, which are letters in DOS code pages. */
const holdsC1 = (bytes: Uint8Array) => bytes.some((byte) => byte >= 0x80 && byte < 0xa0);

/**
 * Decodes text in the file's character set. Many devices write UTF-8 under another name, so valid UTF-8 is decoded as
 * such. Unknown sets give 'ukendt', never wrong letters.
 */
export function textDecoder(specificCharacterSet: string | undefined): (bytes: Uint8Array) => string {
  const named = (specificCharacterSet ?? "").split("\\")[0]?.trim().replace("ISO 2022 IR", "ISO_IR") ?? "";
  const label = characterSets[named] ?? (UNNAMED.includes(named) ? "iso-8859-1" : null);
  return (bytes) => {
    if (bytes.includes(ESCAPE)) return UNREADABLE;
    if (isAscii(bytes)) return Buffer.from(bytes).toString("latin1");
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return label === null || label === "utf-8" || holdsC1(bytes) ? UNREADABLE : new TextDecoder(label).decode(bytes);
    }
  };
}

export const westernName = (bytes: Uint8Array | undefined) => {
  const end = bytes?.indexOf("=".charCodeAt(0)) ?? -1;
  return end < 0 ? bytes : bytes!.subarray(0, end);
};

export function lineOf(bytes: Uint8Array | undefined, decode: (bytes: Uint8Array) => string): string | null {
  if (bytes === undefined) return null;
  const text = cleanLine(decode(bytes).replace(/\p{Cc}/gu, ""))
    .replace(/\s+/g, " ")
    .slice(0, 200);
  return text === "" ? null : text;
}

/** Converts "Family^Given^Middle^Prefix^Suffix" to a readable name. */
export function personName(value: string | null): string | null {
  const [family = "", given = "", middle = ""] = (value ?? "").split("^");
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
