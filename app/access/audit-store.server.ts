import type { Insertable } from "kysely";
import type { DbOrTx } from "~db/connection.server";
import type { Database } from "~db/schema";

/** Referrals to a statement. */
const AT_ONCE = 1000;

/** An event, and the referrals that it was about. */
export async function insertAuditEvent(
  db: DbOrTx,
  event: Insertable<Database["audit_event"]>,
  referralIds: Iterable<number>,
): Promise<void> {
  const { insertId } = await db.insertInto("audit_event").values(event).executeTakeFirstOrThrow();
  const ids = [...new Set(referralIds)];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    await db
      .insertInto("audit_referral")
      .values(ids.slice(start, start + AT_ONCE).map((id) => ({ referral_id: id, audit_event_id: Number(insertId) })))
      .execute();
  }
}
