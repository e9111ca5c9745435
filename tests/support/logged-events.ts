import type { DbOrTx } from "~db/connection.server";

/** What a referral's own log says has happened to it, the oldest first. */
export async function loggedEvents(db: DbOrTx, referralId: number): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom("visit_log")
    .select("event")
    .where("referral_id", "=", referralId)
    .orderBy("id")
    .execute();
  return rows.map(({ event }) => event);
}
