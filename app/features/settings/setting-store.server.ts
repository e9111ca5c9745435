import { type DbOrTx, forUpdate, insertUnlessThere, type Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

export async function findSettings(db: DbOrTx, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom("setting").select(["name", "value"]).where("name", "in", names).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Locks the settings until the end of the transaction, so that two people who save them follow one another. */
export async function lockSettings(db: DbOrTx, names: readonly string[]): Promise<void> {
  await forUpdate(db, db.selectFrom("setting").select("name").where("name", "in", names)).execute();
}

export async function saveSettings(
  db: Tx,
  values: Readonly<Record<string, string>>,
  modifierId: number | null,
  now: Date,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const row = { value, modifiedAt: toMoment(now), modifierId };
    const isNew = await insertUnlessThere(db, "setting", { name, ...row });
    if (!isNew) await db.updateTable("setting").set(row).where("name", "=", name).execute();
  }
}
