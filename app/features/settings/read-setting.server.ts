import type { DbOrTx } from "~db/connection.server";
import { findSettings } from "./setting-store.server";

/** One setting; null where none was saved, or it was emptied. */
export async function findSetting(db: DbOrTx, name: string): Promise<string | null> {
  return (await findSettings(db, [name])).get(name) || null;
}
