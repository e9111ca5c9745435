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
    .select(["id", "channel", "rowKey", "recipientEncrypted", "contentEncrypted", "createdAt", "outcome", "detail"])
    .where("userId", "=", userId)
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
    .innerJoin("storedFile", "storedFile.id", "outbox.storedFileId")
    .select(["storageKey as storageKey", "fileName as name", "sizeBytes as sizeBytes", "mime"])
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
    .insertInto("visitLog")
    .values({
      referralId,
      at: toMoment(now),
      modifierId: null,
      modifierName: "Systemet",
      status: null,
      treatmentTypeId: null,
      surgeonComment: null,
      logType,
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
      const messages = eb.selectFrom("outbox").whereRef("outbox.referralId", "=", "referral.id");
      const waiting = messages.where("outbox.outcome", "in", ["queued", "awaiting"]);
      return [
        "referral.statusVersion as statusVersion",
        waiting.select((of) => of.fn.countAll<number>().as("count")).as("underWay"),
        messages.select((of) => of.fn.max("outbox.settledAt").as("at")).as("changedAt"),
      ];
    })
    .where("referral.id", "=", referralId)
    .where(referralScope(actor))
    .executeTakeFirst();
}

const waiting = (db: DbOrTx) =>
  db
    .selectFrom("outbox")
    .leftJoin("letterBatchItem as live", "live.liveOutboxId", "outbox.id")
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
      .set({ outcome, code, detail, reason, settledAt: at, ...(outcome === "sent" ? { sentAt: at } : {}) })
      .where("id", "=", id)
      .where("outcome", "=", "queued"),
  );
}

export async function recordPrintedLetter(
  tx: Tx,
  secrets: Secrets,
  { id, to, storedFileId }: { id: number; to: string; storedFileId: number },
): Promise<void> {
  const { rowKey } = await tx.selectFrom("outbox").select("rowKey").where("id", "=", id).executeTakeFirstOrThrow();
  await tx
    .updateTable("outbox")
    .set({ recipientEncrypted: sealRecipient(secrets, to, rowKey), storedFileId })
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
    .select(["outcome", "settledAt"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  markMessages(tx, [id]);
  const isSettled = await changesAny(
    tx
      .updateTable("outbox")
      .set({ ...settlement, settledAt: toMoment(now), handledAt: null, handledBy: null, handledNote: null })
      .where("id", "=", id)
      .where("outcome", "in", LEFT),
  );
  return isSettled ? { wasSentAt: before.outcome === "sent" ? before.settledAt : null } : null;
}

export async function findReturnedTexts(db: DbOrTx, outboxId: number) {
  return db
    .selectFrom("deliveryEvent")
    .select(["receivedAt", "rowKey", "contentEncrypted"])
    .where("channel", "=", "email")
    .where("kind", "=", "other")
    .where("outboxId", "=", outboxId)
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
      .where("referralId", "=", referralId)
      .where("channel", "=", "sms")
      .where("outcome", "<>", "withdrawn"),
  );
  const received = await rowCount(tx.selectFrom("incomingSms").where("referralId", "=", referralId));
  const cancellation = await tx
    .selectFrom("incomingSms")
    .select("id")
    .where("referralId", "=", referralId)
    .where("cancellationDetected", "=", true)
    .limit(1)
    .executeTakeFirst();
  await tx
    .updateTable("referral")
    .set({
      smsCount: sent + received,
      hasCancellationMessage: cancellation !== undefined,
    })
    .where("id", "=", referralId)
    .execute();
}

/** After a cancellation is undone, its answers no longer count as one. */
export async function clearDetectedCancellations(tx: Tx, referralId: number): Promise<void> {
  const isCleared = await changesAny(
    tx
      .updateTable("incomingSms")
      .set({ cancellationDetected: false })
      .where("referralId", "=", referralId)
      .where("cancellationDetected", "=", true),
  );
  if (isCleared) await refreshSmsSummary(tx, referralId);
}

const MAX_COUNTED_ANSWERS = 1000;

/** How many answers by SMS wait for a person, up to 1,000. */
export function countAnswers(db: DbOrTx, state: "possibly" | "unplaced" | "unread"): Promise<number> {
  const some = db.selectFrom("incomingSms").select("id").where("state", "=", state).limit(MAX_COUNTED_ANSWERS);
  return rowCount(db.selectFrom(some.as("some")));
}

/** Unread answers of known referrals that name something clinical. */
export function countAlarmingAnswers(db: DbOrTx): Promise<number> {
  const some = db
    .selectFrom("incomingSms")
    .select("id")
    .where("state", "in", ["possibly", "unread"])
    .where("hasAlarm", "=", true)
    .limit(MAX_COUNTED_ANSWERS);
  return rowCount(db.selectFrom(some.as("some")));
}

export async function countWaiting(db: Db) {
  return db
    .selectFrom("outbox")
    .select((eb) => ["channel", "outcome", eb.fn.countAll<number>().as("count"), eb.fn.min("notBefore").as("firstDue")])
    .where("channel", "in", channelNames)
    .where("outcome", "in", ["queued", "awaiting"])
    .groupBy(["channel", "outcome"])
    .execute();
}

export async function countSettled(db: Db, since: Date) {
  return db
    .selectFrom("outbox")
    .select((eb) => ["channel", "outcome", eb.fn.countAll<number>().as("count")])
    .where("settledAt", ">=", toMoment(since))
    .where("outcome", "in", SETTLED)
    .groupBy(["channel", "outcome"])
    .execute();
}
