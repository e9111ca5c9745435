import type { Insertable } from "kysely";
import type { DbOrTx, Tx } from "~db/connection.server";
import type { Database } from "~db/schema";
import { toMoment } from "~/text/dates";

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

/** Rows per statement; the job repeats it. */
const EVENTS_AT_ONCE = 500;

/** Deletes the oldest events from before a moment, with what they were about. */
export async function removeOldEvents(tx: Tx, before: Date): Promise<void> {
  const oldest = await tx.selectFrom("audit_event").select(["id", "at"]).orderBy("id").limit(EVENTS_AT_ONCE).execute();
  const ids = oldest.filter(({ at }) => at < toMoment(before)).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.deleteFrom("audit_referral").where("audit_event_id", "in", ids).execute();
  await tx.deleteFrom("audit_event").where("id", "in", ids).execute();
}
