import { cleanLine, cleanText } from "~/text/normalise";
import { syntaxError } from "./letter";
import { decodeWindows1252 } from "~/text/windows-1252";

/**
 * Free text of FTX segments. Each component is a line; a trailing backslash continues in the next. `.` or `_` alone is
 * an empty line. Null if none.
 */
export function freeText(segments: readonly Segment[], qualifier: string): string | null {
  const parts = segments
    .filter(({ tag, elements }) => tag === "FTX" && elements[0]?.[0] === qualifier)
    .flatMap(({ elements }) => elements[3] ?? []);
  let text = "";
  let isWrapped = true;
  for (const part of parts) {
    const goesOn = part.endsWith("\\");
    const words = goesOn ? part.slice(0, -1) : /^\s*[._]\s*$/.test(part) ? "" : part;
    text += isWrapped ? words : `\n${words}`;
    isWrapped = goesOn;
  }
  return tidy(text);
}

/** One line of text; null if empty. Senders write `_` for an empty mandatory value. */
export function lineOf(text: string): string | null {
  const line = cleanLine(text).replace(/\s+/g, " ");
  return line === "" || line === "_" ? null : line;
}

/** Normalises free text: trimmed lines, at most one blank line between two; null if empty. */
export function tidy(text: string): string | null {
  const lines = cleanText(text)
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim());
  const tidied = lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return tidied === "" ? null : tidied;
}

export interface Segment {
  tag: string;
  elements: string[][];
  object?: Buffer;
}

/** Default separators; UNA may change them. */
const STANDARD = { component: 0x3a, element: 0x2b, release: 0x3f, terminator: 0x27 };
type Separators = typeof STANDARD;

/**
 * Larger than any real interchange, without the bytes after UNO: 200 letters of about 20 KB with a few hundred
 * components each.
 */
const LIMITS = { bytes: 8 * 1024 * 1024, components: 100_000 };
/** A text of 100 lines has 500 components. */
const SEGMENT_LIMITS = { bytes: 1024 * 1024, components: 1000 };
const TAG = /^[A-Z][A-Z0-9]{2}$/;

export const isEdifact = (bytes: Buffer) => /^\s*UN[AB]/.test(bytes.subarray(0, 100).toString("latin1"));

/** Splits an interchange into segments (ISO 9735 level A, UNOC); line breaks are ignored. Throws `EdiError`. */
export function segmentsOf(bytes: Buffer): Segment[] {
  let at = skipBlanks(bytes, 0);
  const separators = { ...STANDARD };
  if (bytes.toString("latin1", at, at + 3) === "UNA") {
    if (bytes.length < at + 9) throw syntaxError("UNA er ikke hel.");
    const [component, element, , release, , terminator] = bytes.subarray(at + 3, at + 9);
    Object.assign(separators, { component, element, release, terminator });
    if (new Set([component, element, release, terminator]).size < 4)
      throw syntaxError("UNA giver det samme tegn to betydninger.");
    at = skipBlanks(bytes, at + 9);
  }
  const segments: Segment[] = [];
  let [objectBytes, components] = [0, 0];
  while (at < bytes.length) {
    const read = readSegment(bytes, at, separators);
    const { segment } = read;
    at = read.end;
    components += read.components;
    if (segment.tag === "UNO") {
      const object = objectAfter(bytes, at, segment);
      segment.object = object;
      objectBytes += object.length;
      at += object.length;
    }
    segments.push(segment);
    at = skipBlanks(bytes, at);
    if (components > LIMITS.components || at - objectBytes >= LIMITS.bytes)
      throw syntaxError("Kuverten har mere tekst eller flere felter, end der kan læses.");
  }
  return segments;
}

function measureSegment(bytes: Buffer, start: number, s: Separators): { end: number; components: number } {
  const limit = Math.min(bytes.length, start + SEGMENT_LIMITS.bytes);
  let components = 1;
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]!;
    if (byte === s.release) at++;
    else if (byte === s.terminator) return { end: at + 1, components };
    else if (byte === s.component || byte === s.element) {
      components += 1;
      if (components > SEGMENT_LIMITS.components)
        throw syntaxError(`Et segment har flere end ${SEGMENT_LIMITS.components} felter (tegn ${start + 1}).`);
    }
  }
  if (limit < bytes.length) throw syntaxError(`Et segment er længere end 1 MB (tegn ${start + 1}).`);
  throw syntaxError("Det sidste segment er ikke afsluttet: kuverten er ikke kommet hel.");
}

function readSegment(bytes: Buffer, start: number, s: Separators) {
  const { end, components } = measureSegment(bytes, start, s);
  const elements: string[][] = [[]];
  const text = Buffer.allocUnsafe(end - start);
  let length = 0;
  const endComponent = () => {
    elements[elements.length - 1]!.push(decodeLatin(text.subarray(0, length)));
    length = 0;
  };
  for (let at = start; at < end - 1; at++) {
    let byte = bytes[at]!;
    if (byte === s.component) endComponent();
    else if (byte === s.element) {
      endComponent();
      elements.push([]);
    } else if (byte !== 0x0a && byte !== 0x0d) {
      if (byte === s.release) byte = bytes[++at]!;
      text[length++] = byte;
    }
  }
  endComponent();
  const tag = elements[0]![0]!;
  if (!TAG.test(tag)) throw syntaxError(`Et segment har ikke noget gyldigt navn (tegn ${start + 1}).`);
  return { segment: { tag, elements: elements.slice(1) } as Segment, end, components };
}

function objectAfter(bytes: Buffer, at: number, { elements }: Segment): Buffer {
  const written = elements[3]?.[0] ?? "";
  const length = /^\d{1,9}$/.test(written) ? Number(written) : NaN;
  if (!Number.isInteger(length)) throw syntaxError("UNO siger ikke, hvor lang dens fil er.");
  if (at + length > bytes.length) throw syntaxError("UNO siger, at dens fil er længere end kuverten.");
  return bytes.subarray(at, at + length);
}

const isBlank = (byte: number) => byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09;

function skipBlanks(bytes: Buffer, from: number): number {
  const end = Math.min(bytes.length, from + LIMITS.bytes);
  let at = from;
  while (at < end && isBlank(bytes[at]!)) at++;
  return at;
}

/**
 * A component as one line of text, both indexes from 0; null if empty. Senders write `.` for an empty mandatory value.
 */
export function componentOf({ elements }: Segment, element: number, component = 0): string | null {
  const line = lineOf(elements[element]?.[component] ?? "");
  return line === "." ? null : line;
}

/** Like `componentOf`, unchanged, because receipts repeat the sender's identifiers. */
export function keyOf({ elements }: Segment, element: number, component = 0): string | null {
  const key = (elements[element]?.[component] ?? "").trim();
  return key === "" || key === "_" || key === "." ? null : key;
}

/** UTF-8 sequences of ø, æ, å and é when read as windows-1252. */
const READS_AS_UTF8 =
  /[\u00c2\u00c3][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2122\u20ac]/;

/** Code points undefined in windows-1252. */
const UNDEFINED = /[\u0081\u008d\u008f\u0090\u009d]/;

/**
 * Decodes windows-1252 (a superset of latin1). Throws `EdiError` for undefined bytes and for text that is evidently
 * UTF-8, in which every æ, ø and å would be wrong.
 */
export function decodeLatin(bytes: Uint8Array): string {
  const text = decodeWindows1252(bytes);
  if (UNDEFINED.test(text)) throw syntaxError("Tegnsættet er ikke det, brevet siger: der er tegn, som ikke findes.");
  if (READS_AS_UTF8.test(text)) throw syntaxError("Tegnsættet er ikke det, brevet siger: teksten er skrevet i UTF-8.");
  return text;
}

const LATIN = new Set(["windows-1252", "iso-8859-1", "iso-8859-15", "us-ascii", "cp1252", "latin1"]);

/** Decodes XML by its declaration: windows-1252, latin1 or UTF-8. Throws `EdiError`. */
export function decodeXml(bytes: Buffer): string {
  const hasMark = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const head = bytes.subarray(hasMark ? 3 : 0, 200).toString("latin1");
  // Checked before decoding, since a file may have 64 MB.
  if (!/^\s*</.test(head)) throw syntaxError("Filen er hverken EDIFACT eller XML.");
  const named = /^[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/.exec(head)?.[1]?.toLowerCase();
  if (!hasMark && named !== undefined && LATIN.has(named)) return decodeLatin(bytes);
  if (named !== undefined && named !== "utf-8" && !LATIN.has(named))
    throw syntaxError(`Tegnsættet ${named} kan ikke læses.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw syntaxError("Tegnsættet er ikke det, brevet siger: det er ikke UTF-8.");
  }
}
