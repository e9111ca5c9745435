import type { DbOrTx } from "~db/connection.server";

/** The referrer of a person's newest referral or draft; null before the first. */
export async function findLastReferrerId(db: DbOrTx, creatorId: number): Promise<number | null> {
  const row = await db
    .selectFrom("referral")
    .select("referrer_id")
    .where("creator_id", "=", creatorId)
    .where("referrer_id", "is not", null)
    .orderBy("create_date", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.referrer_id ?? null;
}
