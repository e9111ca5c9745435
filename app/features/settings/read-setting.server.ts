import type { DbOrTx } from "~db/connection.server";
import { findSettings } from "./setting-store.server";

/** What cached answers about settings begin with. */
export const SETTINGS = "settings";

/** One setting; null where none was saved, or it was emptied. */
export async function findSetting(db: DbOrTx, name: string): Promise<string | null> {
  return (await findSettings(db, [name])).get(name) || null;
}

/** Several settings; empty where none was saved. */
export async function readSettings<K extends string>(db: DbOrTx, names: readonly K[]): Promise<Record<K, string>> {
  const saved = await findSettings(db, names);
  return Object.fromEntries(names.map((name) => [name, saved.get(name) ?? ""])) as Record<K, string>;
}
