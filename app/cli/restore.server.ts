import { copyFile, mkdir, rename, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findUnknownKeys } from "~/access/encryption-key-store.server";
import { execute, plainInput } from "~/access/operation.server";
import { createSecrets } from "~/access/secrets.server";
import { type Config, ConfigError } from "~/config/config.server";
import {
  checkFiles,
  CopyError,
  copyFilesIn,
  flush,
  hashOf,
  refuseForeignFiles,
} from "~/features/copies/copy-files.server";
import { recordRestore } from "~/features/copies/operations.server";
import { findSha256 } from "~/files/stored-file-store.server";
import { chooseFileStore } from "~/gateways/choose.server";
import { systemCaller } from "~/access/system-caller";
import type { Portal } from "~/portal.server";
import { type Db, openDatabase, openSqlite } from "~db/connection.server";
import { closeWhole } from "~db/copy/take-snapshot.server";
import { fillDatabase, describeContents } from "~db/copy/fill-database.server";
import { COPIED_DATABASE, type Manifest, readManifest } from "./backup.server";

const USAGE = "restore FOLDER, into an empty database and an empty file store";

/**
 * `restore`: loads database and files from a copy made by `backup` into an empty database (of either kind) and an empty
 * file store. Hashes are checked before anything is written. Nothing is sent until `resume-sending`. An interrupted run
 * may be repeated. Throws `ConfigError` for faults the operator can mend. @param open opens the restored portal
 */
export async function restore(config: Config, args: string[], open: () => Promise<Portal>): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const [given, ...more] = positionals;
  if (!given || more.length > 0) throw new ConfigError(USAGE);
  const folder = path.resolve(given);
  const manifest = await readManifest(folder);
  const count = await restoreWhole(config, folder, manifest).catch((error: unknown) => {
    throw error instanceof CopyError ? new ConfigError(error.message) : error;
  });
  const portal = await open();
  try {
    const input = { by: os.userInfo().username, madeAt: manifest.madeAt };
    await execute(portal, systemCaller("command"), recordRestore, plainInput(input));
  } finally {
    await portal.close();
  }
  console.log(
    [
      `Genskabt fra kopien af ${manifest.madeAt}: ${manifest.referrals} henvisninger, ${count} filer, ${manifest.queuedMessages} beskeder i kø.`,
      "Intet sendes, og intet hentes, før nogen siger til: node build/server.js resume-sending",
    ].join("\n"),
  );
}

async function restoreWhole(config: Config, folder: string, manifest: Manifest): Promise<number> {
  const source = path.join(folder, COPIED_DATABASE);
  if ((await hashOf(source).catch(() => null)) !== manifest.databaseSha256)
    throw new ConfigError(`${source}: is missing, or was changed after the copy was made`);
  // Works on a duplicate, because SQLite writes files beside the one it opens.
  const working = path.join(config.dataDir, "portal.db.restoring");
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await removeDatabase(working);
  await copyFile(source, working);
  const copy = openSqlite(working);
  let isMoved = false;
  try {
    await refuseOtherSecret(config, copy);
    await refuseUsedDatabase(config);
    const files = await chooseFileStore(config.fileStore, {
      localFolder: config.dataDir,
      findSha256: (key) => findSha256(copy, key),
    });
    try {
      const found = await files.findSetupError();
      if (found !== null) throw "setupError" in found ? new ConfigError(found.setupError) : found.away;
      await refuseForeignFiles(files, copy);
      await checkFiles(copy, folder, manifest.gone);
      // Files first: no row may exist without its file.
      const count = await copyFilesIn(files, copy, folder, manifest.gone);
      if (config.databaseUrl === "") {
        await closeWhole(copy);
        isMoved = true;
        await moveIntoPlace(config, working);
      } else await fill(config, copy);
      return count;
    } finally {
      await files.close();
    }
  } finally {
    if (!isMoved) await copy.destroy();
    await removeDatabase(working);
  }
}

/** Throws `ConfigError` when the copy holds text that the configured secrets cannot decrypt. */
async function refuseOtherSecret(config: Config, copy: Db): Promise<void> {
  const secrets = createSecrets(config.appSecret, config.appSecretPrevious);
  const unknown = await findUnknownKeys(copy, secrets);
  if (unknown.length > 0)
    throw new ConfigError(
      `APP_SECRET: the copy holds text that was encrypted with another secret (key ${unknown.join(", ")}; this one is ${secrets.keyIds[0]}). Set the secret that was kept beside the copy (backup --secret)`,
    );
}

async function refuseUsedDatabase(config: Config): Promise<void> {
  const name = config.databaseUrl === "" ? path.join(config.dataDir, "portal.db") : "DATABASE_URL";
  if (config.databaseUrl === "" && !(await stat(name).catch(() => null))) return;
  const db = openDatabase(config);
  try {
    const found = await describeContents(db);
    if (found !== null) throw new ConfigError(`${name}: is in use (${found}); restore into an empty database`);
  } finally {
    await db.destroy();
  }
}

async function moveIntoPlace(config: Config, working: string): Promise<void> {
  const place = path.join(config.dataDir, "portal.db");
  await removeDatabase(place);
  await flush(working);
  await rename(working, place);
}

async function fill(config: Config, copy: Db): Promise<void> {
  const db = openDatabase(config);
  try {
    await fillDatabase(copy, db);
  } finally {
    await db.destroy();
  }
}

const removeDatabase = (file: string) =>
  Promise.all(["", "-wal", "-shm"].map((suffix) => rm(`${file}${suffix}`, { force: true })));
