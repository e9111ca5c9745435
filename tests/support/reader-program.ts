/** Vitest's global setup: builds the reader program, so that tests need no build. */
import path from "node:path";
import { build } from "esbuild";
import { readerProgramOptions } from "../../scripts/other-programs.mjs";

export const readerProgram = path.join(
  process.cwd(),
  "node_modules",
  ".cache",
  "henvisningsportalen",
  "reader-program.mjs",
);

export default async function buildReaderProgram() {
  await build({ ...readerProgramOptions, outfile: readerProgram });
}
