import type { Db } from "~db/connection.server";

/** A person's name for a sentence; undefined for an account that does not exist. */
export async function findPersonName(db: Db, id: number): Promise<string | undefined> {
  const row = await db.selectFrom("user").select(["first_name", "last_name"]).where("id", "=", id).executeTakeFirst();
  return row && `${row.first_name} ${row.last_name}`;
}
