import { writeFile } from "node:fs/promises";

/**
 * Writes a new file at the end of a pipeline. A broken pipeline leaves a partial file for the caller to remove; a write
 * stream might create it even later.
 */
export const intoNewFile = (path: string) => (chunks: AsyncIterable<Uint8Array>) =>
  writeFile(path, chunks, { flag: "wx", mode: 0o600 });
