import { type DbOrTx, insertUnlessThere } from "~db/connection.server";
import { toMoment } from "~/text/dates";

export async function rememberAddress(db: DbOrTx, userId: number, addressHash: string, now: Date): Promise<void> {
  const row = { user_id: userId, address_hash: addressHash, last_at: toMoment(now) };
  if (await insertUnlessThere(db, "known_address", row)) return;
  await db
    .updateTable("known_address")
    .set({ last_at: row.last_at })
    .where("user_id", "=", userId)
    .where("address_hash", "=", addressHash)
    .execute();
}

export async function isKnownAddress(db: DbOrTx, userId: number, addressHash: string): Promise<boolean> {
  const row = await db
    .selectFrom("known_address")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("address_hash", "=", addressHash)
    .executeTakeFirst();
  return row !== undefined;
}

export async function removeOldAddresses(db: DbOrTx, before: Date): Promise<void> {
  await db.deleteFrom("known_address").where("last_at", "<", toMoment(before)).execute();
}

export async function removeAddressesOf(db: DbOrTx, userId: number): Promise<void> {
  await db.deleteFrom("known_address").where("user_id", "=", userId).execute();
}
