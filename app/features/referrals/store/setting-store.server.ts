import type { DbOrTx } from "~db/connection.server";

/** What staff have set under a name; null until they do. */
export async function findSetting(db: DbOrTx, name: string): Promise<string | null> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value ?? null;
}
