import type { Db } from "~db/connection.server";

export async function findPersonName(db: Db, id: number): Promise<string | undefined> {
  const row = await db.selectFrom("user").select(["first_name", "last_name"]).where("id", "=", id).executeTakeFirst();
  return row && `${row.first_name} ${row.last_name}`;
}
