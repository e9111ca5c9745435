import { decodeWindows1252 } from "~/text/windows-1252";

/** Danish MacRoman letters as read by windows-1252. */
const MAC_LETTERS = /[\u0152\u00be\u00bf\u00ae\u00af\u0081]/;
const DANISH_LETTERS = /[æøåÆØÅ]/;
/** Bytes undefined in windows-1252, and characters that MS-DOS Danish letters become inside words. */
const OF_DOS = /[\u008d\u008f\u0090\u009d]|\p{L}[\u2020\u203a\u2018]|[\u2020\u203a\u2018]\p{L}/u;

/**
 * Decodes by byte order mark, else strict UTF-8, UTF-16 by zero bytes, MacRoman or windows-1252. A Danish error if none
 * fits.
 */
export function decodeText(bytes: Buffer): { text: string } | { error: string } {
  const utf16 = endianOf(bytes);
  if (utf16 !== null) return { text: new TextDecoder(utf16).decode(bytes) };
  if (bytes.includes(0)) return { error: "Filen er ikke en tekstfil. Gem den som CSV UTF-8, og prøv igen." };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return decodeSingleBytes(bytes);
  }
}

function decodeSingleBytes(bytes: Buffer): { text: string } | { error: string } {
  const text = decodeWindows1252(bytes);
  if (MAC_LETTERS.test(text) && !DANISH_LETTERS.test(text)) {
    const ofMac = new TextDecoder("macintosh").decode(bytes);
    if (DANISH_LETTERS.test(ofMac)) return { text: ofMac };
  }
  if (!OF_DOS.test(text)) return { text };
  return {
    error:
      "Filens bogstaver kan ikke læses: den er gemt med en tegnkodning, som portalen ikke kender, fx MS-DOS. Gem den som CSV UTF-8, og prøv igen.",
  };
}

/** Detects UTF-16 by byte order mark or position of zero bytes; otherwise null. */
function endianOf(bytes: Buffer): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = bytes.subarray(0, 400);
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  if (odd > head.length / 4 && even === 0) return "utf-16le";
  return even > head.length / 4 && odd === 0 ? "utf-16be" : null;
}
