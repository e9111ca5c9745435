import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ConfigError } from "~/config/config.server";
import { flush } from "~/features/copies/copy-files.server";

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

/** Written last, so that a folder without it is not a complete copy. */
export async function writeManifest(folder: string, values: Manifest): Promise<void> {
  const temporary = path.join(folder, `${MANIFEST}.tmp`);
  await writeFile(temporary, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600 });
  await flush(temporary);
  await rename(temporary, path.join(folder, MANIFEST));
}

/** Throws `ConfigError` for a folder that holds no whole copy. */
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
