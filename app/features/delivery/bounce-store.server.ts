import type { DbOrTx, Tx } from "~db/connection.server";
import { markMessages } from "~db/marked-rows.server";
import { toMoment } from "~/text/dates";
import type { Outcome } from "./delivery-outcome";
import type { FailureReason } from "./failure-reason";

/** Outcomes that a bounce may change. */
const LEFT: Outcome[] = ["sent", "unknown"];

/** Records that a sent message bounced. Returns when it had counted as sent; null when it had not. */
export async function settleByBounce(
  tx: Tx,
  id: number,
  {
    outcome,
    code,
    detail,
    reason,
  }: { outcome: "failed" | "unknown"; code: number; detail: string; reason: FailureReason },
  now: Date,
): Promise<{ wasSentAt: string | null } | null> {
  const before = await tx
    .selectFrom("outbox")
    .select(["outcome", "settled_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  markMessages(tx, [id]);
  const settled = await tx
    .updateTable("outbox")
    .set({
      outcome,
      code,
      detail,
      reason,
      settled_at: toMoment(now),
      handled_at: null,
      handled_by: null,
      handled_note: null,
    })
    .where("id", "=", id)
    .where("outcome", "in", LEFT)
    .executeTakeFirst();
  if (settled.numUpdatedRows === 0n) return null;
  return { wasSentAt: before.outcome === "sent" ? before.settled_at : null };
}

/** Bounces that no parser could read, newest first, encrypted. */
export async function findReturnedTexts(db: DbOrTx, outboxId: number) {
  return db
    .selectFrom("delivery_event")
    .select(["received_at", "row_key", "content_encrypted"])
    .where("channel", "=", "email")
    .where("kind", "=", "other")
    .where("outbox_id", "=", outboxId)
    .orderBy("id", "desc")
    .limit(5)
    .execute();
}
