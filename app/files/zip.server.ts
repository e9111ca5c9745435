import type { Readable } from "node:stream";
import { ZipArchive } from "archiver";

export interface ZipEntry {
  /** Made safe already; a name that comes twice gets a number. */
  fileName: string;
  open(): Promise<Readable>;
}

/**
 * Many files as one ZIP, stored as they are: images do not shrink, and compressing would cost more than the connection. Streams: each file is
 * opened when the one before it has gone out, so a gigabyte needs no more memory than a picture.
 */
export function zipOf(entries: readonly ZipEntry[]): Readable {
  const archive = new ZipArchive({ store: true });
  void fill(archive, entries).catch((error: unknown) =>
    archive.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return archive;
}

async function fill(archive: ZipArchive, entries: readonly ZipEntry[]): Promise<void> {
  const taken = new Set<string>();
  for (const { fileName, open } of entries) {
    const source = await open();
    const written = new Promise<void>((resolve, reject) => {
      source.once("error", reject);
      archive.once("error", reject);
      archive.once("entry", () => resolve());
      archive.once("close", () => reject(new Error("the reader went away")));
    });
    archive.append(source, { name: ownName(fileName, taken) });
    await written.finally(() => source.destroy());
  }
  await archive.finalize();
}

/** `48.jpg`, `48 (2).jpg` … */
function ownName(fileName: string, taken: Set<string>): string {
  const dot = fileName.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [fileName.slice(0, dot), fileName.slice(dot)] : [fileName, ""];
  let name = fileName;
  for (let turn = 2; taken.has(name.toLowerCase()); turn += 1) name = `${stem} (${turn})${end}`;
  taken.add(name.toLowerCase());
  return name;
}
