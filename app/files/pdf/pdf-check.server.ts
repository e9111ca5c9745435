import { open, readFile } from "node:fs/promises";

/** `locked`: needs a password; `empty`: has no page. */
export type PdfCheck = "readable" | "damaged" | "locked" | "empty";

/** The trailer is in the last bytes, but some programs append text or zeros. */
const TAIL_BYTES = 64 * 1024;
const MAX_PAGES = 200;

/** Whether a PDF can be opened. Only in a reader process (reader-program.server.ts). */
export async function checkPdf(sourcePath: string): Promise<PdfCheck> {
  try {
    if (!(await hasEnd(sourcePath))) return "damaged";
    const { getDocumentProxy } = await import("unpdf");
    const data = new Uint8Array(await readFile(sourcePath));
    const pdf = await getDocumentProxy(data, { isEvalSupported: false, verbosity: 0 });
    if (pdf.numPages === 0) return "empty";
    for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES); number++) (await pdf.getPage(number)).cleanup();
    return "readable";
  } catch (error) {
    return error instanceof Error && error.name === "PasswordException" ? "locked" : "damaged";
  }
}

async function hasEnd(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const tail = Buffer.alloc(TAIL_BYTES);
    for (let end = (await file.stat()).size; end > 0; end -= TAIL_BYTES) {
      const from = Math.max(0, end - TAIL_BYTES);
      const { bytesRead } = await file.read(tail, 0, end - from, from);
      const text = tail.toString("latin1", 0, bytesRead);
      if (/[^\0\s]/.test(text)) return /%%EOF|startxref/.test(text);
    }
    return false;
  } finally {
    await file.close();
  }
}
