/** The alphabet of an SMS (GSM 03.38): what stands in it takes one place. */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** These take two. */
const EXTENDED = new Set("\f^{}\\[~]|€");

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
};

/** The plain sign for one that would halve an SMS; undefined where there is none. */
export const plainSign = (sign: string): string | undefined => plainSigns[sign];

/** A text as an SMS carries it: with plain signs where they say the same. */
export const plainSms = (text: string): string =>
  [...text.replace(/\r\n?/g, "\n")].map((sign) => plainSigns[sign] ?? sign).join("");

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
