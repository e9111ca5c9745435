import type { DbOrTx } from "~db/connection.server";
import { findSettings } from "./setting-store.server";

export const SETTINGS = "settings";

/** A setting; null if unset or empty. */
export async function findSetting(db: DbOrTx, name: string): Promise<string | null> {
  return (await findSettings(db, [name])).get(name) || null;
}

export async function readSettings<K extends string>(db: DbOrTx, names: readonly K[]): Promise<Record<K, string>> {
  const saved = await findSettings(db, names);
  return Object.fromEntries(names.map((name) => [name, saved.get(name) ?? ""])) as Record<K, string>;
}
