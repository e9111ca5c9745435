import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ConfigError } from "~/config/config.server";
import { CopyError, copyFilesOut, flush, hashOf } from "~/features/copies/copy-files.server";
import os from "node:os";
import { parseArgs } from "node:util";
import { execute, plainInput } from "~/access/operation.server";
import { recordBackup } from "~/features/copies/operations.server";
import {
  beginBackup,
  countCopied,
  deletePartialUploads,
  endBackup,
  markAsCopy,
  renewBackup,
} from "~/features/copies/copy-mark-store.server";
import { LEASE_SECONDS, withLease } from "~/features/job-register/operations.server";
import { systemCaller } from "~/access/system-caller";
import type { Portal } from "~/portal.server";
import { openSqlite } from "~db/connection.server";
import { closeWhole, takeSnapshot } from "~db/copy/take-snapshot.server";

/** Database file name inside a copy, whatever the portal's own is. */
export const COPIED_DATABASE = "portal.db";
const MANIFEST = "copy.json";

const manifest = z.object({
  format: z.literal(1),
  /** ISO 8601, UTC: the moment the database was copied. */
  madeAt: z.iso.datetime(),
  databaseSha256: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  referrals: z.number().int(),
  queuedMessages: z.number().int(),
  gone: z.array(z.string()),
});

export type Manifest = z.output<typeof manifest>;

async function writeManifest(folder: string, values: Manifest): Promise<void> {
  const temporary = path.join(folder, `${MANIFEST}.tmp`);
  await writeFile(temporary, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600 });
  await flush(temporary);
  await rename(temporary, path.join(folder, MANIFEST));
}

/** Throws `ConfigError` when the copy in the folder is unfinished, or written by another version. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, MANIFEST);
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) throw new ConfigError(`${folder}: no ${MANIFEST} in it; the copy was never finished, or is none`);
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(`${file}: is not what this version of the portal writes`);
  }
}

const USAGE = "backup FOLDER [--secret FILE]; the folder is made, and the file must lie outside it";

/**
 * `backup`: copies the database at one moment and every file it names while the portal runs. A restored copy sends
 * nothing until `resume-sending`. Throws `ConfigError` for faults the operator can mend.
 */
export async function backup(portal: Portal, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { secret: { type: "string" } },
  });
  const [given, ...more] = positionals;
  if (!given || more.length > 0) throw new ConfigError(USAGE);
  const folder = path.resolve(given);
  const secretFile = values.secret === undefined ? null : path.resolve(values.secret);
  await refuseBadPlaces(folder, secretFile);
  const { db, clock } = portal;
  if (!(await beginBackup(db, LEASE_SECONDS, clock.now())))
    throw new ConfigError(`Another backup is at work, or was killed less than ${LEASE_SECONDS} seconds ago`);
  try {
    const renew = () => renewBackup(db, LEASE_SECONDS, clock.now());
    await withLease({ seconds: LEASE_SECONDS, renew, log: portal.log }, () => makeCopy(portal, folder, secretFile));
  } catch (error) {
    if (error instanceof CopyError)
      throw new ConfigError(`${error.message}\n${folder} is no copy: it has no copy.json`);
    throw error;
  } finally {
    await endBackup(db);
  }
}

async function refuseBadPlaces(folder: string, secretFile: string | null): Promise<void> {
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (there.length > 0) throw new ConfigError(`${folder}: is not empty; every copy has a folder of its own`);
  if (secretFile === null) return;
  if (!path.relative(folder, secretFile).startsWith(".."))
    throw new ConfigError(`--secret: must lie outside ${folder}`);
  if (await stat(secretFile).catch(() => null)) throw new ConfigError(`--secret: ${secretFile} is there already`);
}

async function makeCopy(portal: Portal, folder: string, secretFile: string | null): Promise<void> {
  const { config, clock, db } = portal;
  const file = path.join(folder, COPIED_DATABASE);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const madeAt = clock.now();
  await takeSnapshot(db, { source: path.join(config.dataDir, "portal.db"), file });
  const copy = openSqlite(file);
  let counted;
  let rows;
  try {
    await deletePartialUploads(copy);
    await markAsCopy(copy, clock.now());
    counted = await copyFilesOut(portal, copy, folder);
    rows = await countCopied(copy);
  } finally {
    await closeWhole(copy);
  }
  if (secretFile !== null) await writeSecret(secretFile, config);
  await flush(file);
  await writeManifest(folder, {
    format: 1,
    madeAt: madeAt.toISOString(),
    databaseSha256: await hashOf(file),
    ...counted,
    ...rows,
  });
  const by = os.userInfo().username;
  await execute(portal, systemCaller("command"), recordBackup, plainInput({ by, files: counted.files }));
  const lines = [
    `${folder}: ${rows.referrals} henvisninger, ${rows.queuedMessages} beskeder i kø, ${counted.files} filer (${counted.bytes} byte).`,
    ...(counted.gone.length > 0 ? [`${counted.gone.length} filer blev slettet for altid imens og er ikke med.`] : []),
    secretFile === null
      ? "APP_SECRET er ikke med: uden den kan kopien ikke læses. Gem den et andet sted (--secret FIL)."
      : `APP_SECRET ligger i ${secretFile}: gem den et andet sted end kopien.`,
  ];
  console.log(lines.join("\n"));
}

async function writeSecret(file: string, { appSecret, appSecretPrevious }: Portal["config"]): Promise<void> {
  const lines = [`APP_SECRET=${appSecret}`, ...(appSecretPrevious ? [`APP_SECRET_PREVIOUS=${appSecretPrevious}`] : [])];
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600, flag: "wx" });
  await flush(file);
}
