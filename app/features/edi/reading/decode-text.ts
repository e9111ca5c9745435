import { decodeWindows1252 } from "~/text/windows-1252";
import { syntaxError } from "./letter";

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

/** Encodings an XML declaration may name. */
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
