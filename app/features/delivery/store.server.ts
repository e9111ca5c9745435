import { type Db, type DbOrTx, type Tx, changesAny, rowCount } from "~db/connection.server";
import { type Kind, messageKinds } from "./message-kinds";
import type { Actor } from "~/access/actor";
import { referralScope } from "~/access/scope.server";
import { toMoment } from "~/text/dates";
import {
  type ChannelName,
  channelNames,
  type Outcome,
  outcomes,
  SETTLED,
  type FailureReason,
} from "./delivery-outcome";
import { markMessages } from "~db/marked-rows.server";
import type { Secrets } from "~/access/secrets.server";
import type { ClaimedMessage, NewOutcome } from "./port";
import { sealRecipient, claimedOf } from "./sealed-message.server";
import type { Selectable } from "kysely";
import type { Database } from "~db/schema";

export async function findNewestTo(db: DbOrTx, userId: number, kind: Kind, limit: number) {
  return db
    .selectFrom("outbox")
    .select(["id", "channel", "row_key", "recipient_encrypted", "content_encrypted", "created_at", "outcome", "detail"])
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function findNewest(db: DbOrTx, channels: readonly ChannelName[], limit: number) {
  return db
    .selectFrom("outbox")
    .selectAll()
    .where("channel", "in", channels)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function findOutboxMessage(db: DbOrTx, id: number) {
  return db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function findAttachedFile(db: DbOrTx, id: number) {
  return db
    .selectFrom("outbox")
    .innerJoin("stored_file", "stored_file.id", "outbox.stored_file_id")
    .select(["storage_key as storageKey", "file_name as name", "size_bytes as sizeBytes", "mime"])
    .where("outbox.id", "=", id)
    .executeTakeFirst();
}

interface Settled {
  referralId: number | null;
  kind: Kind;
  logType: string;
  outcome: Outcome;
  detail: string | null;
}

export async function logDelivery(
  tx: DbOrTx,
  { referralId, kind, logType, outcome, detail }: Settled,
  now: Date,
): Promise<void> {
  if (referralId === null) return;
  const event = `${messageKinds[kind].label}: ${outcomes[outcome]}${detail === null || outcome === "unknown" ? "" : ` (${detail})`}`;
  await tx
    .insertInto("visit_log")
    .values({
      referral_id: referralId,
      at: toMoment(now),
      modifier_id: null,
      modifier_name: "Systemet",
      status: null,
      treatment_type_id: null,
      surgeon_comment: null,
      log_type: logType,
      event: event.slice(0, 200),
    })
    .execute();
}

/**
 * Progress of a referral's messages; undefined outside the actor's scope. `changedAt` is null before any is settled.
 */
export function findProgress(db: DbOrTx, actor: Actor, referralId: number) {
  return db
    .selectFrom("referral")
    .select((eb) => {
      const messages = eb.selectFrom("outbox").whereRef("outbox.referral_id", "=", "referral.id");
      const waiting = messages.where("outbox.outcome", "in", ["queued", "awaiting"]);
      return [
        "referral.status_version as statusVersion",
        waiting.select((of) => of.fn.countAll<number>().as("count")).as("underWay"),
        messages.select((of) => of.fn.max("outbox.settled_at").as("at")).as("changedAt"),
      ];
    })
    .where("referral.id", "=", referralId)
    .where(referralScope(actor))
    .executeTakeFirst();
}

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

export const countWaitingLetters = (db: DbOrTx): Promise<number> => rowCount(waiting(db));

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

const letterOf = (secrets: Secrets, row: Selectable<Database["outbox"]>): ClaimedMessage => ({
  ...claimedOf(secrets, row),
  channel: "print",
  outcome: "queued",
  reference: null,
  isExpired: false,
  detail: null,
  reason: null,
  isInterrupted: false,
});

/** Settles a letter printed at the clinic. False if it was settled before. */
export async function settleQueued(
  tx: Tx,
  id: number,
  { outcome, code, detail, reason = null }: NewOutcome & { outcome: Exclude<Outcome, "queued" | "awaiting"> },
  now: Date,
): Promise<boolean> {
  const at = toMoment(now);
  markMessages(tx, [id]);
  return changesAny(
    tx
      .updateTable("outbox")
      .set({ outcome, code, detail, reason, settled_at: at, ...(outcome === "sent" ? { sent_at: at } : {}) })
      .where("id", "=", id)
      .where("outcome", "=", "queued"),
  );
}

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

const LEFT: Outcome[] = ["sent", "unknown"];

/** Records that a sent message bounced. Returns when it had counted as sent; null when it had not. */
export async function settleByBounce(
  tx: Tx,
  id: number,
  settlement: { outcome: "failed" | "unknown"; code: number; detail: string; reason: FailureReason },
  now: Date,
): Promise<{ wasSentAt: string | null } | null> {
  const before = await tx
    .selectFrom("outbox")
    .select(["outcome", "settled_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  markMessages(tx, [id]);
  const isSettled = await changesAny(
    tx
      .updateTable("outbox")
      .set({ ...settlement, settled_at: toMoment(now), handled_at: null, handled_by: null, handled_note: null })
      .where("id", "=", id)
      .where("outcome", "in", LEFT),
  );
  return isSettled ? { wasSentAt: before.outcome === "sent" ? before.settled_at : null } : null;
}

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

/**
 * Updates the SMS list's summary of a referral's thread: message count and detected cancellation. Must run in the
 * transaction that changed the thread. Withdrawn messages do not count.
 */
export async function refreshSmsSummary(tx: Tx, referralId: number): Promise<void> {
  const sent = await rowCount(
    tx
      .selectFrom("outbox")
      .where("referral_id", "=", referralId)
      .where("channel", "=", "sms")
      .where("outcome", "<>", "withdrawn"),
  );
  const received = await rowCount(tx.selectFrom("incoming_sms").where("referral_id", "=", referralId));
  const cancellation = await tx
    .selectFrom("incoming_sms")
    .select("id")
    .where("referral_id", "=", referralId)
    .where("cancellation_detected", "=", 1)
    .limit(1)
    .executeTakeFirst();
  await tx
    .updateTable("referral")
    .set({
      sms_count: sent + received,
      has_cancellation_message: cancellation === undefined ? 0 : 1,
    })
    .where("id", "=", referralId)
    .execute();
}

/** After a cancellation is undone, its answers no longer count as one. */
export async function clearDetectedCancellations(tx: Tx, referralId: number): Promise<void> {
  const isCleared = await changesAny(
    tx
      .updateTable("incoming_sms")
      .set({ cancellation_detected: 0 })
      .where("referral_id", "=", referralId)
      .where("cancellation_detected", "=", 1),
  );
  if (isCleared) await refreshSmsSummary(tx, referralId);
}

const MAX_COUNTED_ANSWERS = 1000;

/** How many answers by SMS wait for a person, up to 1,000. */
export function countAnswers(db: DbOrTx, state: "possibly" | "unplaced" | "unread"): Promise<number> {
  const some = db.selectFrom("incoming_sms").select("id").where("state", "=", state).limit(MAX_COUNTED_ANSWERS);
  return rowCount(db.selectFrom(some.as("some")));
}

/** Unread answers of known referrals that name something clinical. */
export function countAlarmingAnswers(db: DbOrTx): Promise<number> {
  const some = db
    .selectFrom("incoming_sms")
    .select("id")
    .where("state", "in", ["possibly", "unread"])
    .where("has_alarm", "=", 1)
    .limit(MAX_COUNTED_ANSWERS);
  return rowCount(db.selectFrom(some.as("some")));
}

export async function countWaiting(db: Db) {
  return db
    .selectFrom("outbox")
    .select((eb) => [
      "channel",
      "outcome",
      eb.fn.countAll<number>().as("count"),
      eb.fn.min("not_before").as("first_due"),
    ])
    .where("channel", "in", channelNames)
    .where("outcome", "in", ["queued", "awaiting"])
    .groupBy(["channel", "outcome"])
    .execute();
}

export async function countSettled(db: Db, since: Date) {
  return db
    .selectFrom("outbox")
    .select((eb) => ["channel", "outcome", eb.fn.countAll<number>().as("count")])
    .where("settled_at", ">=", toMoment(since))
    .where("outcome", "in", SETTLED)
    .groupBy(["channel", "outcome"])
    .execute();
}
