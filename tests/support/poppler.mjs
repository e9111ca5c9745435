/** Poppler's programs: what reads the text of our PDFs. */
import { spawnSync } from "node:child_process";

/** Whether `pdftotext` and `pdfinfo` can be run. */
export function findPoppler() {
  return ["pdftotext", "pdfinfo"].every((program) => !spawnSync(program, ["-v"]).error);
}
