import type { DbOrTx } from "~db/connection.server";
import { fullName } from "~/text/names";
import { findSurgeonRows } from "./store.server";

/** Active surgeons by name, plus the chosen one if inactive. */
export async function findSurgeons(
  db: DbOrTx,
  chosenId: number | null = null,
): Promise<{ id: number; name: string }[]> {
  const rows = await findSurgeonRows(db, chosenId);
  return rows.map((row) => ({ id: row.id, name: fullName(row) }));
}
