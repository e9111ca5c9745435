import { composed } from "./normalise";

/** The alphabet of an SMS (GSM 03.38): what stands in it takes one place. */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** These take two. */
const EXTENDED = new Set("\f^{}\\[~]|€");

/** Signs that nobody sees, and that an SMS leaves without. Joiners of emoji are not among them. */
const unseenSigns: Readonly<Record<string, string>> = {
  "\u00ad": "blød bindestreg",
  "\u200b": "nulbredt mellemrum",
  "\u200c": "nulbredt skilletegn",
  "\u2060": "ordsamler",
  "\ufeff": "byte order mark",
};

/** What a word processor puts in the place of a plain sign, and a receiver sees no difference in. */
const plainSigns: Readonly<Record<string, string>> = {
  "–": "-",
  "—": "-",
  "‑": "-",
  "−": "-",
  "’": "'",
  "‘": "'",
  "´": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "…": "...",
  "\u00a0": " ",
  "\u202f": " ",
  "\t": " ",
  ...Object.fromEntries(Object.keys(unseenSigns).map((sign) => [sign, ""])),
};

/** The plain sign for one that would halve an SMS; undefined where there is none. */
export const plainSign = (sign: string): string | undefined => plainSigns[sign];

/** A sign as a sentence names it: one that nobody sees by its name. */
export function signName(sign: string): string {
  if (unseenSigns[sign] !== undefined) return `usynligt tegn: ${unseenSigns[sign]}`;
  if (sign === "\u00a0" || sign === "\u202f") return "hårdt mellemrum";
  const code = `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  if (/^\p{M}$/u.test(sign)) return `accent uden bogstav: ${code}`;
  return /^[\p{Cf}\p{Zs}\p{Cc}]$/u.test(sign) ? `usynligt tegn: ${code}` : sign;
}

/** A text as an SMS carries it: with plain signs where they say the same. An unseen sign may have stood between a letter and its accent. */
export const plainSms = (text: string): string =>
  composed([...text.replace(/\r\n?/g, "\n")].map((sign) => plainSigns[sign] ?? sign).join(""));

export interface SmsParts {
  parts: number;
  /** Places that the text takes; most signs take one. */
  length: number;
  /** Places in each part. */
  perPart: number;
  /** The signs, each once, for which the whole text is sent in an alphabet that holds fewer than half as many. */
  nonGsm: string[];
}

const GSM = { alone: 160, joined: 153 };
const UNICODE = { alone: 70, joined: 67 };

/** How many messages an SMS is sent, and paid, as. */
export function countSmsParts(text: string): SmsParts {
  const signs = [...text.replace(/\r\n?/g, "\n")];
  const nonGsm = [...new Set(signs.filter((sign) => !BASIC.has(sign) && !EXTENDED.has(sign)))];
  const limits = nonGsm.length === 0 ? GSM : UNICODE;
  const places = signs.map((sign) => (nonGsm.length > 0 ? sign.length : EXTENDED.has(sign) ? 2 : 1));
  const length = places.reduce((sum, each) => sum + each, 0);
  if (length <= limits.alone) return { parts: length === 0 ? 0 : 1, length, perPart: limits.alone, nonGsm };
  return { parts: partsOf(places, limits.joined), length, perPart: limits.joined, nonGsm };
}

/** A sign of two places is never parted: it goes into the next part as a whole. */
function partsOf(places: readonly number[], perPart: number): number {
  let parts = 1;
  let used = 0;
  for (const place of places) {
    if (used + place > perPart) {
      parts += 1;
      used = 0;
    }
    used += place;
  }
  return parts;
}
