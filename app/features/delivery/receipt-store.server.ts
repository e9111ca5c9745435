import { type DbOrTx, forUpdate, insertUnlessThere, type Tx, changesAny, idsOf } from "~db/connection.server";
import { markMessages } from "~db/marked-rows.server";
import { sealedReply } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";
import type { ChannelName, Outcome, FailureReason } from "./delivery-outcome";
import { type NewOutcome, settledColumns } from "./port";
import { RELEASED, settledAs } from "./claim-store.server";

interface DeliveryEvent {
  channel: ChannelName;
  eventId: string;
  kind: "receipt" | "reply" | "other";
  outboxId: number | null;
  content?: { from: string; text: string };
}

/** Records a provider's event; false for a repeated one, which must not be processed again. */
export async function recordEvent(
  tx: Tx,
  secrets: Secrets,
  { channel, eventId, kind, outboxId, content }: DeliveryEvent,
  now: Date,
): Promise<boolean> {
  const sealed = content ? sealedReply.seal(secrets, JSON.stringify(content)) : {};
  return insertUnlessThere(tx, "deliveryEvent", {
    channel,
    eventId,
    kind,
    outboxId,
    receivedAt: toMoment(now),
    ...sealed,
  });
}

export async function findEvents(db: DbOrTx, channel: ChannelName, eventIds: readonly string[]) {
  if (eventIds.length === 0) return new Map<string, string>();
  const rows = await db
    .selectFrom("deliveryEvent")
    .select(["eventId", "receivedAt"])
    .where("channel", "=", channel)
    .where("eventId", "in", eventIds)
    .execute();
  return new Map(rows.map(({ eventId: id, receivedAt: at }) => [id, at]));
}

/** The message a receipt names, locked until the transaction ends; undefined if unknown. */
export async function lockOutboxMessage(tx: Tx, channel: ChannelName, id: number) {
  const query = tx
    .selectFrom("outbox")
    .select([...settledColumns, "outcome", "detail", "rowKey"])
    .where("id", "=", id)
    .where("channel", "=", channel);
  return forUpdate(tx, query).executeTakeFirst();
}

const OPEN: Outcome[] = ["queued", "awaiting", "unknown"];

export async function settleByReceipt(
  tx: Tx,
  id: number,
  settlement: { outcome: "sent" | "failed" } & NewOutcome,
  now: Date,
): Promise<boolean> {
  markMessages(tx, [id]);
  return changesAny(
    tx
      .updateTable("outbox")
      .set((eb) => ({
        ...settledAs(settlement, now),
        sentAt: eb.fn.coalesce("sentAt", eb.val(toMoment(now))),
      }))
      .where("id", "=", id)
      .where("outcome", "in", OPEN),
  );
}

/** Withdraws an accepted message that is no longer awaited; false if it was settled before. */
export async function stopAwaiting(tx: Tx, id: number, now: Date): Promise<boolean> {
  markMessages(tx, [id]);
  return changesAny(
    tx
      .updateTable("outbox")
      .set({
        outcome: "withdrawn",
        detail: null,
        reason: null,
        settledAt: toMoment(now),
        ...RELEASED,
      })
      .where("id", "=", id)
      .where("outcome", "=", "awaiting"),
  );
}

/**
 * Records that the provider has a message although the attempt broke off, so that it is not sent again. False if that
 * was known or it is settled.
 */
export async function markHandedOver(tx: Tx, id: number, code: number, now: Date): Promise<boolean> {
  const at = toMoment(now);
  return changesAny(
    tx
      .updateTable("outbox")
      .set({
        outcome: "awaiting",
        code,
        detail: null,
        reason: null,
        sentAt: at,
        notBefore: at,
        ...RELEASED,
      })
      .where("id", "=", id)
      .where("outcome", "=", "queued"),
  );
}

const OVERDUE = 200;

export async function findOverdue(db: DbOrTx, channel: ChannelName, handedOverBefore: Date): Promise<number[]> {
  const rows = await overdue(db, channel, handedOverBefore).select("id").orderBy("id").limit(OVERDUE).execute();
  return idsOf(rows);
}

/** An overdue message, locked; undefined when its receipt has come meanwhile. */
export async function lockOverdue(tx: Tx, id: number, channel: ChannelName, handedOverBefore: Date) {
  const query = overdue(tx, channel, handedOverBefore).select(settledColumns).where("id", "=", id);
  return forUpdate(tx, query).executeTakeFirst();
}

const overdue = (db: DbOrTx, channel: ChannelName, handedOverBefore: Date) =>
  db
    .selectFrom("outbox")
    .where("channel", "=", channel)
    .where("outcome", "=", "awaiting")
    .where("sentAt", "<", toMoment(handedOverBefore));

export async function findQueuedBefore(tx: Tx, by: Date) {
  const query = tx
    .selectFrom("outbox")
    .select(settledColumns)
    .where("outcome", "=", "queued")
    .where("createdAt", "<=", toMoment(by))
    .orderBy("id")
    .limit(OVERDUE);
  return forUpdate(tx, query).execute();
}

export async function countQueuedBefore(db: DbOrTx, by: Date): Promise<{ channel: ChannelName; count: number }[]> {
  const rows = await db
    .selectFrom("outbox")
    .select((eb) => ["channel", eb.fn.countAll<number>().as("count")])
    .where("outcome", "=", "queued")
    .where("createdAt", "<=", toMoment(by))
    .groupBy("channel")
    .orderBy("channel")
    .execute();
  return rows.map(({ channel, count }) => ({ channel: channel as ChannelName, count: Number(count) }));
}

export async function settleUnreported(
  tx: Tx,
  id: number,
  { code, detail, reason }: { code: number; detail: string; reason: FailureReason },
  now: Date,
): Promise<void> {
  markMessages(tx, [id]);
  await tx
    .updateTable("outbox")
    .set({ outcome: "unknown", code, detail, reason, settledAt: toMoment(now), leaseOwner: null, leaseUntil: null })
    .where("id", "=", id)
    .execute();
}

export async function listReplies(db: DbOrTx, limit: number) {
  return db
    .selectFrom("deliveryEvent")
    .select(["id", "receivedAt", "rowKey", "contentEncrypted"])
    .where("kind", "=", "reply")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
