import type { DbOrTx } from "~db/connection.server";

export async function loggedEvents(db: DbOrTx, referralId: number): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom("visitLog")
    .select("event")
    .where("referralId", "=", referralId)
    .orderBy("id")
    .execute();
  return rows.map(({ event }) => event);
}
