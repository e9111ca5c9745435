import { readFile } from "node:fs/promises";

/** What a PDF says, its lines parted by a line break and its paragraphs by an empty line; empty where it is only a picture. */
export type PdfTextAnswer = { text: string } | { failed: "damaged" };

/** Pages beyond this are not read, nor is anything once so many characters are. */
const MAX_PAGES = 50;
const MAX_CHARACTERS = 100_000;

/** A gap between two lines that is so many times as high as the letters parts two paragraphs. */
const PARAGRAPH_GAP = 2;

/** Reads what a PDF says. Only in the process that reads hostile files (reader-program.server.ts): a PDF may be made to hang its reader. */
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
    return { text: pages.filter(Boolean).join("\n\n").slice(0, MAX_CHARACTERS) };
  } catch {
    return { failed: "damaged" };
  }
}

/** A piece of text as it stands on its page. */
interface Piece {
  str: string;
  /** In points; 0 where it is not known. */
  height: number;
  /** The last two are where it stands. */
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
