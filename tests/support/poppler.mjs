/** Poppler's programs, which read our PDFs. */
import { spawnSync } from "node:child_process";

export function findPoppler() {
  return ["pdftotext", "pdfinfo"].every((program) => !spawnSync(program, ["-v"]).error);
}
