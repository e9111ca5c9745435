import { type DbOrTx, insertUnlessThere, type Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

const STAFF_ADDRESS = "messageMailAddress";

/** The address that is notified of new messages; null while staff have not set it. */
export async function findStaffAddress(db: DbOrTx): Promise<string | null> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", STAFF_ADDRESS).executeTakeFirst();
  return row?.value || null;
}

export async function saveStaffAddress(tx: Tx, address: string, personId: number, now: Date): Promise<void> {
  const row = { value: address, modified_at: toMoment(now), modifier_id: personId };
  const isNew = await insertUnlessThere(tx, "setting", { name: STAFF_ADDRESS, ...row });
  if (!isNew) await tx.updateTable("setting").set(row).where("name", "=", STAFF_ADDRESS).execute();
}
