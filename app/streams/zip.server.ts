import type { Readable } from "node:stream";
import { ZipArchive } from "archiver";

export interface ZipEntry {
  fileName: string;
  open(): Promise<Readable>;
}

/**
 * Streams files as an uncompressed ZIP, since images do not shrink. Each file is opened after the previous one has been
 * sent, so memory stays small. The first is opened before returning, so that the caller can still answer with an error.
 * Throws what opening or reading it throws.
 */
export async function zipOf(entries: readonly ZipEntry[]): Promise<Readable> {
  const first = entries[0] === undefined ? null : await begun(await entries[0].open());
  const archive = new ZipArchive({ store: true });
  void fill(archive, entries, first).catch((error: unknown) =>
    archive.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return archive;
}

/** Resolves once the stream has data or has ended. */
async function begun(source: Readable): Promise<Readable> {
  await new Promise<void>((resolve, reject) => {
    source.once("error", reject);
    source.once("readable", () => {
      source.off("error", reject);
      resolve();
    });
  });
  return source;
}

async function fill(archive: ZipArchive, entries: readonly ZipEntry[], first: Readable | null): Promise<void> {
  const taken = new Set<string>();
  for (const [index, { fileName, open }] of entries.entries()) {
    const source = index === 0 && first !== null ? first : await open();
    const written = entryWritten(archive, source);
    archive.append(source, { name: ownName(fileName, taken) });
    await written.finally(() => source.destroy());
  }
  await archive.finalize();
}

/** Listens per file: hundreds of listeners on the archive would accumulate. */
function entryWritten(archive: ZipArchive, source: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => () => {
      archive.off("error", failed).off("entry", done).off("close", gone);
      end();
    };
    const failed = (error: Error) => settle(() => reject(error))();
    const done = settle(resolve);
    const gone = settle(() => reject(new Error("the reader went away")));
    source.once("error", failed);
    archive.once("error", failed).once("entry", done).once("close", gone);
  });
}

function ownName(fileName: string, taken: Set<string>): string {
  const dot = fileName.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [fileName.slice(0, dot), fileName.slice(dot)] : [fileName, ""];
  let name = fileName;
  for (let turn = 2; taken.has(name.toLowerCase()); turn += 1) name = `${stem} (${turn})${end}`;
  taken.add(name.toLowerCase());
  return name;
}
