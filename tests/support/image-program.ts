/** Vitest's global setup: builds the program that reads pictures as `npm run build` does, so that tests need no build beforehand. */
import path from "node:path";
import { build } from "esbuild";
import { previewWorkerOptions } from "../../scripts/preview-worker.mjs";

export const imageProgram = path.join(
  process.cwd(),
  "node_modules",
  ".cache",
  "henvisningsportalen",
  "preview-worker.mjs",
);

export default async function buildImageProgram() {
  await build({ ...previewWorkerOptions, outfile: imageProgram });
}
