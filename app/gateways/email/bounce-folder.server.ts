import { mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { readReturnedMail } from "./delivery-status-report";
import type { BounceBox } from "./port";

/** The report stands before the mail that comes back with it. */
const MAX_BYTES = 256 * 1024;
/** By then a writer that does not rename has finished the file. */
const QUIET_MS = 10_000;
const UNREAD = "unread";
/** A run takes so many at most; the job comes again. */
const MAX_PER_RUN = 500;
/** After so many errors in one run it is not the files: the folder or the database is away. */
const MAX_ERRORS = 10;

/** A folder where a mail server puts what comes back, a file each. */
export function createBounceFolder(folder: string): BounceBox {
  return { readEach: (take) => readFolder(folder, take) };
}

async function readFolder(folder: string, take: Parameters<BounceBox["readEach"]>[0]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
  const errors: unknown[] = [];
  for (const name of names.toSorted().slice(0, MAX_PER_RUN)) {
    if (errors.length >= MAX_ERRORS) break;
    await readFile(folder, name, take).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

async function readFile(folder: string, name: string, take: Parameters<BounceBox["readEach"]>[0]): Promise<void> {
  const file = path.join(folder, name);
  const { mtimeMs } = await stat(file);
  if (Date.now() - mtimeMs < QUIET_MS) return;
  if ((await take(readReturnedMail(await beginningOf(file)), name)) === "done") return unlink(file);
  await mkdir(path.join(folder, UNREAD), { recursive: true, mode: 0o700 });
  await rename(file, path.join(folder, UNREAD, name));
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    const { bytesRead } = await handle.read(bytes, 0, MAX_BYTES, 0);
    return bytes.subarray(0, bytesRead).toString("latin1");
  } finally {
    await handle.close();
  }
}
