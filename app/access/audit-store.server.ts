import { type Insertable, sql } from "kysely";
import { type DbOrTx, isMysql, type Tx, idsOf } from "~db/connection.server";
import type { Database } from "~db/schema";
import { toMoment } from "~/text/dates";

const BATCH_SIZE = 1000;

export async function insertAuditEvent(
  db: DbOrTx,
  event: Insertable<Database["auditEvent"]>,
  referralIds: Iterable<number>,
): Promise<void> {
  const { insertId } = await db.insertInto("auditEvent").values(event).executeTakeFirstOrThrow();
  const ids = [...new Set(referralIds)];
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    await db
      .insertInto("auditReferral")
      .values(ids.slice(start, start + BATCH_SIZE).map((id) => ({ referralId: id, auditEventId: Number(insertId) })))
      .execute();
  }
}

const EVENT_BATCH_SIZE = 500;

/**
 * Deletes the oldest events from before a moment, with the rows of their referrals. A database user who may only add to
 * the audit calls the owner's procedure, which has the same days and a clock of its own (`db/serving-user.server.ts`).
 */
export async function removeOldEvents(tx: Tx, before: Date): Promise<void> {
  if (await isRemovedByOwner(tx)) {
    await sql`call remove_old_audit(${EVENT_BATCH_SIZE})`.execute(tx);
    return;
  }
  const oldest = await tx.selectFrom("auditEvent").select(["id", "at"]).orderBy("id").limit(EVENT_BATCH_SIZE).execute();
  const ids = idsOf(oldest.filter(({ at }) => at < toMoment(before)));
  if (ids.length === 0) return;
  await tx.deleteFrom("auditReferral").where("auditEventId", "in", ids).execute();
  await tx.deleteFrom("auditEvent").where("id", "in", ids).execute();
}

async function isRemovedByOwner(tx: Tx): Promise<boolean> {
  if (!isMysql(tx)) return false;
  const { rows } = await sql`
    select 1 from information_schema.routines where routine_schema = database() and routine_name = 'remove_old_audit'
  `.execute(tx);
  return rows.length > 0;
}
