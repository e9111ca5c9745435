import { writeFile } from "node:fs/promises";

/**
 * The end of a pipeline: writes a file that did not exist. What breaks the pipeline leaves the part that was written, to be removed by who began it;
 * a write stream that had not opened its file by then would still make it afterwards.
 */
export const intoNewFile = (path: string) => (chunks: AsyncIterable<Uint8Array>) =>
  writeFile(path, chunks, { flag: "wx", mode: 0o600 });
