import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

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
export function pdfFonts() {
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

const load = createRequire(import.meta.url);

export const pdfkit = () => load("pdfkit") as typeof import("pdfkit");

const fontFile = (name: string) =>
  readFileSync(load.resolve(`@expo-google-fonts/source-sans-3/${name}.ttf`)) as unknown as string;
