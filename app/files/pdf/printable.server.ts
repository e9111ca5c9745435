import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { composed } from "~/text/normalise";

/**
 * Keeps what the font can draw: composed letters, plain line ends, no invisible or directional marks; the rest is
 * named: [emoji], [arabisk skrift]. pdfkit would map missing letters to the first one. Runs of over 200 letters without
 * a plain space are split, since pdfkit does not break at the others and needs half a second for 4,000; of blank lines
 * two are kept, and of spaces forty.
 */
export function printable(text: string): string {
  return (
    // Composed last: an invisible mark may have separated letter and accent.
    composed(
      text
        .replace(/\p{Cs}/gu, "\ufffd")
        .replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, "\n")
        .replace(/\t/g, "    ")
        .replace(/[\p{Cf}\p{Variation_Selector}]|[^\P{Cc}\n]/gu, "")
        .replace(/ +/g, (spaces) => spaces.slice(0, 40))
        .replace(/\n+/g, (lineEnds) => lineEnds.slice(0, 3)),
    )
      .replace(/[^\n\u0020-\u007e\u00a0-\u024f]+/gu, nameMissing)
      .replace(/[^ \n]+/g, (word) => (word.length > 200 ? word.match(/.{1,200}/g)!.join(" ") : word))
  );
}

const hasGlyph = (letter: string) => pdfFonts().regular.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0);

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

const scripts: Readonly<Record<string, RegExp>> = {
  Arab: /\p{Script=Arab}/u,
  Armn: /\p{Script=Armn}/u,
  Beng: /\p{Script=Beng}/u,
  Deva: /\p{Script=Deva}/u,
  Ethi: /\p{Script=Ethi}/u,
  Geor: /\p{Script=Geor}/u,
  Gujr: /\p{Script=Gujr}/u,
  Guru: /\p{Script=Guru}/u,
  Hebr: /\p{Script=Hebr}/u,
  Khmr: /\p{Script=Khmr}/u,
  Laoo: /\p{Script=Laoo}/u,
  Mymr: /\p{Script=Mymr}/u,
  Sinh: /\p{Script=Sinh}/u,
  Taml: /\p{Script=Taml}/u,
  Telu: /\p{Script=Telu}/u,
  Thai: /\p{Script=Thai}/u,
  Tibt: /\p{Script=Tibt}/u,
};

function missingName(letter: string): string {
  if (/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u.test(letter)) return "emoji";
  if (/\p{Script=Hiragana}|\p{Script=Katakana}/u.test(letter)) return "japansk skrift";
  if (/\p{Script=Hangul}/u.test(letter)) return "koreansk skrift";
  if (/\p{Script=Han}/u.test(letter)) return "kinesisk skrift";
  const code = Object.keys(scripts).find((each) => scripts[each]!.test(letter));
  return code === undefined ? "ukendt tegn" : `${scriptNames().of(code) ?? code} skrift`;
}

let names: Intl.DisplayNames | undefined;
const scriptNames = () => (names ??= new Intl.DisplayNames("da", { type: "script" }));

interface ParsedFont {
  layout(text: string): unknown;
  hasGlyphForCodePoint(codePoint: number): boolean;
  characterSet: number[];
  glyphForCodePoint(codePoint: number): unknown;
}
let parsed: { regular: ParsedFont; strong: ParsedFont } | undefined;

/**
 * Fonts, parsed once per process: parsing takes 50 ms, a page 5. pdfkit reuses the result; each document embeds its own
 * subset.
 */
function pdfFonts() {
  return parsed ?? parse();
}

function parse() {
  const PDFDocument = pdfkit();
  const doc = new PDFDocument({ font: fontFile("400Regular/SourceSans3_400Regular") });
  // oxlint-disable-next-line no-underscore-dangle -- pdfkit's own name
  const current = () => (doc as unknown as { _font: { font: ParsedFont } })._font.font;
  const regular = current();
  doc.font(fontFile("600SemiBold/SourceSans3_600SemiBold"));
  const strong = current();
  for (const font of [regular, strong]) nameGlyphs(font);
  return (parsed = { regular, strong });
}

/**
 * Names every glyph with its letter. fontkit caches a glyph as first requested; a document with Å but no A would leave
 * A nameless, and later documents could not be searched or copied.
 */
function nameGlyphs(font: ParsedFont): void {
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
}

/** Words whose layout is kept per font: a letter in two languages has some 300. */
const MAX_WORDS = 5000;

/** pdfkit's layouts of words by font, which are half of a letter's time; a document alone keeps them for itself. */
const layouts: Record<"regular" | "strong", Record<string, unknown>> = {
  regular: Object.create(null) as Record<string, unknown>,
  strong: Object.create(null) as Record<string, unknown>,
};

function shareLayouts(doc: PDFKit.PDFDocument): void {
  for (const name of ["regular", "strong"] as const) {
    if (Object.keys(layouts[name]).length > MAX_WORDS) layouts[name] = Object.create(null) as Record<string, unknown>;
    doc.font(name);
    // oxlint-disable-next-line no-underscore-dangle -- pdfkit's own name
    (doc as unknown as { _font: { layoutCache: unknown } })._font.layoutCache = layouts[name];
  }
}

/** A tagged A4 document in Danish, which writes in `regular` and `strong`. */
export function newPdf(options: PDFKit.PDFDocumentOptions): PDFKit.PDFDocument {
  const PDFDocument = pdfkit();
  const { regular, strong } = pdfFonts() as unknown as Record<"regular" | "strong", string>;
  const doc = new PDFDocument({
    size: "A4",
    tagged: true,
    lang: "da-DK",
    pdfVersion: "1.7",
    displayTitle: true,
    ...options,
    // A registered font that is the default too would be opened again by every change to it.
    font: null as unknown as string,
  })
    .registerFont("regular", regular)
    .registerFont("strong", strong);
  shareLayouts(doc);
  return doc.font("regular");
}

const load = createRequire(import.meta.url);

const pdfkit = () => load("pdfkit") as typeof import("pdfkit");

const fontFile = (name: string) =>
  readFileSync(load.resolve(`@expo-google-fonts/source-sans-3/${name}.ttf`)) as unknown as string;
