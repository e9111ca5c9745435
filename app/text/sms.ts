import { composed } from "./normalise";
import { withLineFeeds } from "./line-ends";

/** GSM 03.38: one position each. */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** GSM 03.38 extension: two positions each. */
const EXTENDED = new Set("\f^{}\\[~]|€");

const unseenSigns: Readonly<Record<string, string>> = {
  "\u00ad": "blød bindestreg",
  "\u200b": "nulbredt mellemrum",
  "\u200c": "nulbredt skilletegn",
  "\u2060": "ordsamler",
  "\ufeff": "byte order mark",
};

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

/** Plain equivalent of a character that would halve an SMS; otherwise undefined. */
export const plainSign = (sign: string): string | undefined => plainSigns[sign];

export function signName(sign: string): string {
  if (unseenSigns[sign] !== undefined) return `usynligt tegn: ${unseenSigns[sign]}`;
  if (sign === "\u00a0" || sign === "\u202f") return "hårdt mellemrum";
  const code = `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  if (/^\p{M}$/u.test(sign)) return `accent uden bogstav: ${code}`;
  return /^[\p{Cf}\p{Zs}\p{Cc}]$/u.test(sign) ? `usynligt tegn: ${code}` : sign;
}

/**
 * Text as sent by SMS, with plain equivalents. Composed last, since an invisible character may have separated letter
 * and accent.
 */
export const plainSms = (text: string): string =>
  composed([...withLineFeeds(text)].map((sign) => plainSigns[sign] ?? sign).join(""));

export interface SmsParts {
  parts: number;
  length: number;
  perPart: number;
  /** Distinct characters that force the alphabet with fewer than half the positions. */
  nonGsm: string[];
}

const GSM = { alone: 160, joined: 153 };
const UNICODE = { alone: 70, joined: 67 };

export function countSmsParts(text: string): SmsParts {
  const signs = [...withLineFeeds(text)];
  const nonGsm = [...new Set(signs.filter((sign) => !BASIC.has(sign) && !EXTENDED.has(sign)))];
  const limits = nonGsm.length === 0 ? GSM : UNICODE;
  const places = signs.map((sign) => (nonGsm.length > 0 ? sign.length : EXTENDED.has(sign) ? 2 : 1));
  const length = places.reduce((sum, each) => sum + each, 0);
  if (length <= limits.alone) return { parts: length === 0 ? 0 : 1, length, perPart: limits.alone, nonGsm };
  return { parts: partsOf(places, limits.joined), length, perPart: limits.joined, nonGsm };
}

/** Two-position characters are never split. */
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

/** SMS sender: 3 to 11 plain letters, digits and spaces, or a number. */
export const SMS_SENDER = /^([A-Za-z0-9 ]{3,11}|\d{3,15})$/;

/** A name cannot be answered. */
export const isSenderName = (sender: string) => !/^\d+$/.test(sender);

/** Whether a text asks for an answer; a link to answer by does not count. */
export const asksForAnswer = (text: string) =>
  !/\(\(\s*(svarlink|afbud)\s*\)\)/i.test(text) && /(^|[^\p{L}])(svar|besvar)(?!t)/iu.test(text);
