import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { fileStoreNamed } from "~/config/file-store-settings.server";
import { ConfigError } from "~/config/config.server";
import { findSha256 } from "~/files/stored-file-store.server";
import { findPartSha256 } from "~/files/staging/upload-part-store.server";
import { chooseFileStore } from "~/gateways/choose.server";
import { FileNotInStore, type FileStore, type FileStoreSettings } from "~/gateways/file-store/port";
import type { Portal } from "~/portal.server";
import { findAllParts, findFilesAfter, isStillKnown, type MovedFile } from "./store.server";

const usage =
  "Usage: node build/server.js move-files --to STORE [--from STORE] [--remove] [--again]; a store is the whole path of a folder, or s3://bucket/prefix?…";

const BATCH_SIZE = 200;
const MAX_PARALLEL = 4;

interface Count {
  moved: number;
  there: number;
  errors: string[];
}

/**
 * Copies every known file from one store to another and reads each back; only a matching hash counts. The portal may
 * run meanwhile. A second run continues after the last verified file. `--again` checks every file anew. `--remove`
 * deletes files from the first store once the other has them, and is refused for the store in use.
 */
export async function moveFiles(portal: Portal, args: string[]): Promise<void> {
  const options = { from: { type: "string" }, to: { type: "string" } } as const;
  const { values } = parseArgs({
    args,
    options: { ...options, remove: { type: "boolean" }, again: { type: "boolean" } },
  });
  const own = portal.config.fileStore;
  const from = values.from === undefined ? own : settingsOf(portal, values.from);
  const to = settingsOf(portal, values.to);
  if (nameOf(from) === nameOf(to)) throw new ConfigError(`--to: is the store that the files lie in. ${usage}`);
  if (values.remove && nameOf(from) === nameOf(own))
    throw new ConfigError(
      "--remove: the portal uses this store. Set FILE_STORE to the new one, start, and run it then",
    );
  const source = await openStore(portal, from);
  const target = await openStore(portal, to).catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  try {
    const count = await moveAll(
      portal,
      { source, target, remove: values.remove ?? false },
      [nameOf(from), nameOf(to)],
      {
        again: values.again ?? false,
      },
    );
    for (const line of count.errors) console.error(line);
    console.log(
      `${count.moved} filer er kopieret og læst efter, ${count.there} lå der rigtigt i forvejen, ${count.errors.length} kunne ikke flyttes.`,
    );
    if (count.errors.length > 0) process.exitCode = 1;
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

function settingsOf({ config }: Portal, text: string | undefined): FileStoreSettings {
  const named = text === undefined ? null : fileStoreNamed(text);
  if (named === null) throw new ConfigError(usage);
  return "folder" in named ? named : { ...named, credentials: config.fileStoreCredentials };
}

const nameOf = (store: FileStoreSettings) =>
  "folder" in store ? path.resolve(store.folder) : `s3://${store.bucket}/${store.prefix} ${store.endpoint ?? ""}`;

async function openStore({ db, config }: Portal, settings: FileStoreSettings): Promise<FileStore> {
  const store = await chooseFileStore(settings, {
    localFolder: config.dataDir,
    findSha256: async (key) => (await findSha256(db, key)) ?? findPartSha256(db, key),
  });
  const found = await store.findSetupError();
  if (found === null) return store;
  await store.close();
  throw "setupError" in found ? new ConfigError(found.setupError) : found.away;
}

interface Way {
  source: FileStore;
  target: FileStore;
  remove: boolean;
}

async function moveAll(portal: Portal, way: Way, names: string[], { again }: { again: boolean }): Promise<Count> {
  const { db, config } = portal;
  const mark = progressMark(config.dataDir, [...names, String(way.remove)].join(" "));
  const count: Count = { moved: 0, there: 0, errors: [] };
  for (let after = again ? 0 : await mark.read(); ;) {
    const files = await findFilesAfter(db, after, BATCH_SIZE);
    if (files.length === 0) break;
    await eachAtOnce(files, (file) => moveOne(portal, way, file, count));
    after = files.at(-1)!.id;
    // Nothing past a failed file is remembered, so that the next run tries it again.
    if (count.errors.length === 0) await mark.write(after);
  }
  await eachAtOnce(await findAllParts(db), (part) => moveOne(portal, way, part, count));
  return count;
}

async function moveOne({ db }: Portal, { source, target, remove }: Way, file: MovedFile, count: Count): Promise<void> {
  const { storageKey: key, sha256 } = file;
  if ((await hashIn(target, key)) === sha256) count.there += 1;
  else {
    try {
      await source.withLocalCopy(key, async (copy) => {
        if ((await hashOf(createReadStream(copy))) !== sha256) throw new WrongHash("er ikke, som den blev gemt");
        await target.remove(key);
        await target.copyAs(copy, key);
      });
      if ((await hashIn(target, key)) !== sha256) throw new WrongHash("kom ikke rigtigt frem");
      count.moved += 1;
    } catch (error) {
      if (error instanceof FileNotInStore) {
        if (await isStillKnown(db, key)) count.errors.push(`${key}: findes ikke`);
      } else if (error instanceof WrongHash || (error as Error).name === "WrongContent")
        count.errors.push(`${key}: ${error instanceof WrongHash ? error.message : "er ikke, som den blev gemt"}`);
      else throw error;
      return;
    }
  }
  if (remove) await source.remove(key);
}

class WrongHash extends Error {}

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest("hex");
}

async function hashIn(store: FileStore, key: string): Promise<string | null> {
  try {
    return await hashOf(await store.openRead(key));
  } catch (error) {
    if (error instanceof FileNotInStore || (error as Error).name === "WrongContent") return null;
    throw error;
  }
}

async function eachAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values();
  await Promise.all(
    Array.from({ length: MAX_PARALLEL }, async () => {
      for (const one of waiting) await work(one);
    }),
  );
}

function progressMark(dataDir: string, way: string) {
  const file = path.join(dataDir, "move-files.json");
  return {
    async read(): Promise<number> {
      const text = await readFile(file, "utf8").catch(() => "{}");
      const found = JSON.parse(text) as { way?: string; after?: number };
      return found.way === way ? (found.after ?? 0) : 0;
    },
    async write(after: number): Promise<void> {
      await mkdir(dataDir, { recursive: true });
      await writeFile(`${file}.tmp`, JSON.stringify({ way, after }), { mode: 0o600 });
      await rename(`${file}.tmp`, file);
    },
  };
}
