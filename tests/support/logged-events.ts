import type { DbOrTx } from "~db/connection.server";

export async function loggedEvents(db: DbOrTx, referralId: number): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom("visit_log")
    .select("event")
    .where("referral_id", "=", referralId)
    .orderBy("id")
    .execute();
  return rows.map(({ event }) => event);
}
