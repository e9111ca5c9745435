import { mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { readReturnedMail } from "./delivery-status-report";
import type { BounceBox, ReturnedMail } from "./port";

/** The report precedes the returned mail. */
const MAX_BYTES = 256 * 1024;
/** A writer without rename has finished by then. */
const QUIET_MS = 10_000;
const UNREAD = "unread";
const MAX_PER_RUN = 500;
const MAX_ERRORS = 10;

type Take = Parameters<BounceBox["readEach"]>[0];
type ReadMail = (path: string) => Promise<ReturnedMail | null>;

/** A folder of bounces, one file each. A mail that kills its reader is moved aside and reported as an error. */
export function createBounceFolder(folder: string, read: ReadMail): BounceBox {
  return { readEach: (take) => readFolder(folder, read, take) };
}

/** Only in a reader process: anybody who got a mail can write one. */
export const readReturnedMailAt = async (file: string): Promise<ReturnedMail> =>
  readReturnedMail(await beginningOf(file));

async function readFolder(folder: string, read: ReadMail, take: Take): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
  const errors: unknown[] = [];
  for (const name of names.toSorted().slice(0, MAX_PER_RUN)) {
    if (errors.length >= MAX_ERRORS) break;
    await readFile(folder, name, read, take).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

async function readFile(folder: string, name: string, read: ReadMail, take: Take): Promise<void> {
  const file = path.resolve(folder, name);
  const { mtimeMs } = await stat(file);
  if (Date.now() - mtimeMs < QUIET_MS) return;
  const mail = await read(file);
  if (mail !== null && (await take(mail, name)) === "done") return unlink(file);
  await mkdir(path.join(folder, UNREAD), { recursive: true, mode: 0o700 });
  await rename(file, path.join(folder, UNREAD, name));
  if (mail === null) throw new Error("a mail that came back could not be read and was moved aside");
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
