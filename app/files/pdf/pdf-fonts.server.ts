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
 * The fonts, read and parsed once a process: parsing takes 50 ms, a page 5. pdfkit parses them here and takes the result
 * again later; each document embeds its own subset.
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
 * Tells every glyph which letter it is. A font keeps a glyph as it was first asked for, and a document that has Å but no A asks for A as a
 * nameless part of Å: in every later document of the process the letter A would be seen on the page, but not read, copied or found.
 */
function nameGlyphs(font: ParsedFont): void {
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
}

const load = createRequire(import.meta.url);

/** pdfkit takes a quarter of a second to load: it waits for the first PDF instead of holding up the start. */
export const pdfkit = () => load("pdfkit") as typeof import("pdfkit");

// A file of a package, found alike from the sources and from build/server.js.
const fontFile = (name: string) =>
  readFileSync(load.resolve(`@expo-google-fonts/source-sans-3/${name}.ttf`)) as unknown as string;
