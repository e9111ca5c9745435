import { open, readFile } from "node:fs/promises";

/** `locked`: a password is asked for. `empty`: it has no page. */
export type PdfCheck = "readable" | "damaged" | "locked" | "empty";

/** The end of a PDF stands in its last bytes; some programs write a little after it, and some fill the file up with zeros. */
const TAIL_BYTES = 64 * 1024;
/** Pages beyond this are not opened. */
const MAX_PAGES = 200;

/** Whether readers can open a PDF. Only in the process that reads hostile files (reader-program.server.ts). */
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

/** A file that was cut may still have its first pages, and readers would show those alone. */
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
