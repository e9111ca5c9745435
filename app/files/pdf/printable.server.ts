import { pdfFonts } from "./pdf-fonts.server";

/**
 * The text with only what the font can draw: composed letters, plain line ends, no invisible or directional marks, and the name of what
 * is missing for the rest: [emoji], [arabisk skrift]. pdfkit would give every missing letter the meaning of the first one, and needs half a second for
 * a word of 4,000 letters: one of more than 200 is parted.
 */
export function printable(text: string): string {
  return (
    text
      .replace(/\p{Cs}/gu, "\ufffd")
      .replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, "\n")
      .replace(/\t/g, "    ")
      .replace(/[\p{Cf}\p{Variation_Selector}]|[^\P{Cc}\n]/gu, "")
      // Only now: an invisible mark may have stood between a letter and its accent.
      .normalize("NFC")
      .replace(/[^\n\u0020-\u007e\u00a0-\u024f]+/gu, nameMissing)
      .replace(/\S+/g, (word) => (word.length > 200 ? word.match(/.{1,200}/g)!.join(" ") : word))
  );
}

const hasGlyph = (letter: string) => pdfFonts().regular.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0);

/** Each run of letters that the font has not becomes one name. */
function nameMissing(text: string): string {
  let shown = "";
  let last: string | undefined;
  for (const letter of text) {
    const name = hasGlyph(letter) ? undefined : missingName(letter);
    if (name === undefined) shown += letter;
    else if (name !== last) shown += `[${name}]`;
    last = name;
  }
  return shown;
}

const scripts = [
  "Arab",
  "Armn",
  "Beng",
  "Deva",
  "Ethi",
  "Geor",
  "Gujr",
  "Guru",
  "Hebr",
  "Khmr",
  "Laoo",
  "Mymr",
  "Sinh",
  "Taml",
  "Telu",
  "Thai",
  "Tibt",
].map((code) => ({
  code,
  letters: new RegExp(`\\p{Script=${code}}`, "u"),
}));

function missingName(letter: string): string {
  if (/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u.test(letter)) return "emoji";
  if (/\p{Script=Hiragana}|\p{Script=Katakana}/u.test(letter)) return "japansk skrift";
  if (/\p{Script=Hangul}/u.test(letter)) return "koreansk skrift";
  if (/\p{Script=Han}/u.test(letter)) return "kinesisk skrift";
  const script = scripts.find(({ letters }) => letters.test(letter));
  return script === undefined ? "ukendt tegn" : `${scriptNames().of(script.code) ?? script.code} skrift`;
}

let names: Intl.DisplayNames | undefined;
const scriptNames = () => (names ??= new Intl.DisplayNames("da", { type: "script" }));
