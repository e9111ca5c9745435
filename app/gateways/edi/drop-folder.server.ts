import { access, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { STORED_LOCALLY } from "../sending/port";
import type { EdiGateway, EdiInbox } from "./port";
import { type FileFolder, claimFiles } from "./claim-files.server";

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";

const onDisk = (root: string): FileFolder => ({
  async list() {
    const entries = await readdir(root, { withFileTypes: true });
    const files = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async ({ name }) => {
          const found = await stat(path.join(root, name)).catch(() => null);
          return found === null ? [] : [{ name, sizeBytes: found.size, modifiedAt: found.mtimeMs }];
        }),
    );
    return files.flat();
  },
  async rename(from, to) {
    try {
      await rename(path.join(root, from), path.join(root, to));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  },
  exists: (name) =>
    access(path.join(root, name)).then(
      () => true,
      () => false,
    ),
  read: (name) => readFile(path.join(root, name)),
  remove: (name) => rm(path.join(root, name), { force: true }),
});

/** @param isOurs the portal's own folder is created if missing; a shared one must exist */
export function createDropInbox(root: string, label: string, { isOurs = false } = {}): EdiInbox {
  return {
    label,
    async takeEach(visit, now) {
      if (isOurs) await mkdir(root, { recursive: true, mode: 0o700 });
      await claimFiles(onDisk(root), visit, now);
    },
  };
}

/** Writes messages into a folder; each file gets its name once complete and flushed. */
export function createDropGateway(root: string, label: string, { isOurs = false } = {}): EdiGateway {
  return {
    label,
    mode: isOurs ? "embedded" : "live",
    deduplicates: true,
    async send({ key, files }) {
      let isAnyThere = false;
      try {
        if (isOurs) await mkdir(root, { recursive: true, mode: 0o700 });
        for (const { name, bytes } of files) {
          await writeAtomically(path.join(root, name), bytes);
          isAnyThere = true;
        }
      } catch (error) {
        const { code = "", message } = error as NodeJS.ErrnoException;
        return {
          outcome: "retry",
          detail: `Mappen ${code}: ${message}`.slice(0, 300),
          isChannelDown: true,
          ...(isAnyThere ? { reference: key } : {}),
        };
      }
      return { outcome: "sent", detail: isOurs ? STORED_LOCALLY : "", reference: key };
    },
  };
}

async function writeAtomically(file: string, bytes: Buffer): Promise<void> {
  const part = await open(`${file}.part`, "w", 0o640);
  try {
    await part.writeFile(bytes);
    await part.sync();
  } finally {
    await part.close();
  }
  await rename(`${file}.part`, file);
}
