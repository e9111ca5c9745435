import { readFile } from "node:fs/promises";

/** Text of a PDF: lines separated by line breaks, paragraphs by blank lines; empty for pictures and unmapped fonts. */
export type PdfTextAnswer = { text: string } | { failed: "damaged" };

const MAX_PAGES = 50;
const MAX_CHARACTERS = 100_000;

/** A gap of this many letter heights separates paragraphs. */
const PARAGRAPH_GAP = 2;

/** Extracts text. Only in a reader process (reader-program.server.ts), since a PDF may hang its reader. */
export async function readPdfText(sourcePath: string): Promise<PdfTextAnswer> {
  try {
    const { getDocumentProxy } = await import("unpdf");
    const pdf = await getDocumentProxy(new Uint8Array(await readFile(sourcePath)), { isEvalSupported: false });
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES) && length < MAX_CHARACTERS; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = textOf(items.filter((item) => "str" in item));
      page.cleanup();
      pages.push(text);
      length += text.length;
    }
    return { text: legible(pages.filter(Boolean).join("\n\n").slice(0, MAX_CHARACTERS)) };
  } catch {
    return { failed: "damaged" };
  }
}

const SIGNS = /[^\P{C}\n]|\uFFFD/gu;

/** More than one in so many characters without a letter's meaning: the whole text is made of glyph numbers. */
const LETTERS_A_SIGN = 10;

/**
 * A font without a map from glyphs to letters gives numbers of glyphs, the first 31 of which are control characters;
 * a readable text has hardly any. Returns an empty text for such a PDF, and drops the odd sign of any other.
 */
export function legible(text: string): string {
  const signs = text.match(SIGNS)?.length ?? 0;
  return signs * LETTERS_A_SIGN > text.replace(/\s/g, "").length ? "" : text.replace(SIGNS, "");
}

interface Piece {
  str: string;
  height: number;
  /** The last two are the position. */
  transform: number[];
  hasEOL: boolean;
}

function textOf(pieces: readonly Piece[]): string {
  let text = "";
  let lastY = 0;
  let lastHeight = 0;
  let isNewLine = false;
  for (const { str, height, transform, hasEOL } of pieces) {
    if (str.trim() !== "") {
      const y = transform[5] ?? 0;
      if (isNewLine) text += lastY - y > PARAGRAPH_GAP * lastHeight ? "\n\n" : "\n";
      isNewLine = false;
      lastY = y;
      lastHeight = height || lastHeight;
    }
    if (!isNewLine) text += str;
    if (hasEOL) isNewLine = true;
  }
  return text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
