import { decodeLatin } from "./decode-text";
import { syntaxError } from "./letter";

export interface Segment {
  tag: string;
  /** Data elements, each with its components. */
  elements: string[][];
  /** Of a UNO: the bytes that follow it, as they are. */
  object?: Buffer;
}

/** What the characters of an interchange mean; UNA says otherwise. */
const STANDARD = { component: 0x3a, element: 0x2b, release: 0x3f, terminator: 0x27 };
type Separators = typeof STANDARD;

const MAX_SEGMENTS = 100_000;
const TAG = /^[A-Z][A-Z0-9]{2}$/;

export const isEdifact = (bytes: Buffer) => /^\s*UN[AB]/.test(bytes.subarray(0, 100).toString("latin1"));

/** Takes an interchange apart (ISO 9735 level A, UNOC). Line breaks are none of its characters. Throws `EdiError`. */
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
  while (at < bytes.length) {
    const { segment, end } = readSegment(bytes, at, separators);
    at = end;
    if (segment.tag === "UNO") {
      const object = objectAfter(bytes, at, segment);
      segment.object = object;
      at += object.length;
    }
    segments.push(segment);
    if (segments.length > MAX_SEGMENTS) throw syntaxError("Kuverten har for mange segmenter.");
    at = skipBlanks(bytes, at);
  }
  return segments;
}

function readSegment(bytes: Buffer, start: number, s: Separators): { segment: Segment; end: number } {
  const elements: string[][] = [];
  let components: string[] = [];
  let text: number[] = [];
  const endComponent = () => {
    components.push(decodeLatin(Uint8Array.from(text)));
    text = [];
  };
  const endElement = () => {
    endComponent();
    elements.push(components);
    components = [];
  };
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === s.release) {
      at++;
      if (at < bytes.length) text.push(bytes[at]!);
    } else if (byte === s.component) endComponent();
    else if (byte === s.element) endElement();
    else if (byte === s.terminator) {
      endElement();
      const tag = elements[0]![0]!;
      if (!TAG.test(tag)) throw syntaxError(`Et segment har ikke noget gyldigt navn (tegn ${start + 1}).`);
      return { segment: { tag, elements: elements.slice(1) }, end: at + 1 };
    } else if (byte !== 0x0a && byte !== 0x0d) text.push(byte);
  }
  throw syntaxError("Det sidste segment er ikke afsluttet: kuverten er ikke kommet hel.");
}

/** UNO says how many bytes follow: the component of its status, or the first number that it has after its own reference. */
function objectAfter(bytes: Buffer, at: number, { elements }: Segment): Buffer {
  const written = elements[3]?.[0] ?? "";
  const length = /^\d{1,9}$/.test(written) ? Number(written) : NaN;
  if (!Number.isInteger(length)) throw syntaxError("UNO siger ikke, hvor lang dens fil er.");
  if (at + length > bytes.length) throw syntaxError("UNO siger, at dens fil er længere end kuverten.");
  return bytes.subarray(at, at + length);
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && [0x0a, 0x0d, 0x20, 0x09].includes(bytes[at]!)) at++;
  return at;
}

/** An element's component, both counted from 0; null where it is empty. `_` stands where a sender had to write something. */
export function componentOf({ elements }: Segment, element: number, component = 0): string | null {
  const text = (elements[element]?.[component] ?? "").trim();
  return text === "" || text === "_" || text === "." ? null : text;
}
