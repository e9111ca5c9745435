import type { DbOrTx, Tx } from "~db/connection.server";
import { markMessages } from "~db/marked-rows.server";
import type { Secrets } from "~/access/secrets.server";
import { fromMoment, toMoment } from "~/text/dates";
import type { ClaimedMessage, NewOutcome } from "./port";
import type { Outcome } from "./delivery-outcome";
import type { Kind } from "./message-kinds";
import { sealRecipient, unsealMessage } from "./sealed-message.server";

const waiting = (db: DbOrTx) =>
  db
    .selectFrom("outbox")
    .leftJoin("letter_batch_item as live", "live.live_outbox_id", "outbox.id")
    .where("outbox.channel", "=", "print")
    .where("outbox.outcome", "=", "queued")
    .where("live.id", "is", null);

/** Letters to print at the clinic that are in no live batch, oldest first. */
export async function findWaitingLetters(db: DbOrTx, secrets: Secrets, limit: number): Promise<ClaimedMessage[]> {
  const rows = await waiting(db).selectAll("outbox").orderBy("outbox.id").limit(limit).execute();
  return rows.map((row) => letterOf(secrets, row));
}

export async function countWaitingLetters(db: DbOrTx): Promise<number> {
  const { count } = await waiting(db)
    .select((eb) => eb.fn.count<number>("outbox.id").as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Those of the given letters that still wait. */
export async function findQueuedLetters(db: DbOrTx, secrets: Secrets, ids: number[]): Promise<ClaimedMessage[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("outbox")
    .selectAll()
    .where("id", "in", ids)
    .where("outcome", "=", "queued")
    .execute();
  return rows.map((row) => letterOf(secrets, row));
}

interface OutboxRow {
  id: number;
  kind: string;
  referral_id: number | null;
  user_id: number | null;
  stored_file_id: number | null;
  operation_moment: string | null;
  row_key: string | null;
  recipient_encrypted: string;
  content_encrypted: string;
  attempts: number;
  created_at: string;
  waiting_since: string | null;
}

function letterOf(secrets: Secrets, row: OutboxRow): ClaimedMessage {
  const { to, content } = unsealMessage(secrets, row);
  return {
    id: row.id,
    channel: "print",
    kind: row.kind as Kind,
    outcome: "queued",
    referralId: row.referral_id,
    userId: row.user_id,
    storedFileId: row.stored_file_id,
    operationMoment: row.operation_moment,
    to: to ?? "",
    content: content ?? "",
    isUnreadable: to === null || content === null,
    attempts: row.attempts,
    reference: null,
    rowKey: row.row_key ?? "",
    isExpired: false,
    detail: null,
    reason: null,
    createdAt: fromMoment(row.created_at),
    waitingSince: row.waiting_since === null ? null : fromMoment(row.waiting_since),
    isInterrupted: false,
  };
}

/** Settles a letter printed at the clinic. False if it was settled before. */
export async function settleQueued(
  tx: Tx,
  id: number,
  { outcome, code, detail, reason = null }: NewOutcome & { outcome: Exclude<Outcome, "queued" | "awaiting"> },
  now: Date,
): Promise<boolean> {
  const at = toMoment(now);
  markMessages(tx, [id]);
  const settled = await tx
    .updateTable("outbox")
    .set({ outcome, code, detail, reason, settled_at: at, ...(outcome === "sent" ? { sent_at: at } : {}) })
    .where("id", "=", id)
    .where("outcome", "=", "queued")
    .executeTakeFirst();
  return settled.numUpdatedRows > 0n;
}

/** Stores the printed PDF and the address used. */
export async function recordPrintedLetter(
  tx: Tx,
  secrets: Secrets,
  { id, to, storedFileId }: { id: number; to: string; storedFileId: number },
): Promise<void> {
  const { row_key } = await tx.selectFrom("outbox").select("row_key").where("id", "=", id).executeTakeFirstOrThrow();
  await tx
    .updateTable("outbox")
    .set({ recipient_encrypted: sealRecipient(secrets, to, row_key), stored_file_id: storedFileId })
    .where("id", "=", id)
    .execute();
}
