import { subDays } from "date-fns";
import { type Selectable, sql } from "kysely";
import type { Database } from "~db/schema";
import { type DbOrTx, forUpdate, type Tx, idsOf } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { sealedIncomingSms, sealedReply } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import type { Outcome } from "~/features/delivery/delivery-outcome";
import { toMoment } from "~/text/dates";
import type { Judgement } from "./classify-answer.server";

export type AnswerState = "unplaced" | "possibly" | "unread" | "settled" | "dismissed";

export interface AnswerContent {
  from: string;
  text: string;
}

export type IncomingRow = Selectable<Database["incomingSms"]>;

/** Text and number of a patient's SMS; null if it was removed or is unreadable. */
export function readAnswer(secrets: Secrets, row: IncomingRow): AnswerContent | null {
  const sealed = sealedIncomingSms.open(secrets, row);
  return sealed === null ? null : (JSON.parse(sealed) as AnswerContent);
}

export async function findWaitingReplies(db: DbOrTx, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("deliveryEvent")
    .select("id")
    .where("kind", "=", "reply")
    .where("takenAt", "is", null)
    .orderBy("id")
    .limit(limit)
    .execute();
  return idsOf(rows);
}

/** A waiting reply, locked until the transaction ends; undefined if taken. Content null if unreadable. */
export async function lockWaitingReply(tx: Tx, secrets: Secrets, id: number) {
  const row = await forUpdate(
    tx,
    tx
      .selectFrom("deliveryEvent")
      .select(["id", "receivedAt", "rowKey", "contentEncrypted"])
      .where("id", "=", id)
      .where("kind", "=", "reply")
      .where("takenAt", "is", null),
  ).executeTakeFirst();
  if (row === undefined) return undefined;
  const content = sealedReply.open(secrets, row);
  return {
    id: row.id,
    receivedAt: row.receivedAt,
    content: content === null ? null : (JSON.parse(content) as AnswerContent),
  };
}

export async function markTaken(tx: Tx, eventId: number, now: Date): Promise<void> {
  await tx
    .updateTable("deliveryEvent")
    .set({ takenAt: toMoment(now) })
    .where("id", "=", eventId)
    .execute();
}

export async function insertIncomingSms(
  tx: Tx,
  secrets: Secrets,
  {
    eventId,
    receivedAt,
    content,
    ...row
  }: {
    eventId: number;
    receivedAt: string;
    content: AnswerContent;
    referralId: number | null;
    judgement: Judgement;
    state: AnswerState;
    isCancellation: boolean;
    isAlarming: boolean;
  },
): Promise<void> {
  const { rowKey, contentEncrypted } = sealedIncomingSms.seal(secrets, JSON.stringify(content));
  await tx
    .insertInto("incomingSms")
    .values({
      deliveryEventId: eventId,
      receivedAt,
      senderHash: secrets.lookup("phone", content.from),
      rowKey,
      contentEncrypted,
      referralId: row.referralId,
      judgement: row.judgement,
      state: row.state,
      cancellationDetected: row.isCancellation,
      hasAlarm: row.isAlarming,
    })
    .execute();
}

const ARRIVED: Outcome[] = ["sent", "awaiting", "unknown"];

const MAX_AGE_DAYS = 180;

export async function findReferralsWrittenTo(db: DbOrTx, hashes: string[], now: Date) {
  return db
    .selectFrom("outbox")
    .innerJoin("referral", "referral.id", "outbox.referralId")
    .select((eb) => [
      "referral.id",
      "referral.status",
      "referral.mobilePhone",
      "referral.cprHash",
      "referral.operationDate",
      "referral.operationHour",
      "referral.operationMinute",
      "referral.firstName",
      "referral.lastName",
      eb.fn.max("outbox.id").as("lastMessageId"),
    ])
    .where("outbox.recipientHash", "in", hashes)
    .where("outbox.channel", "=", "sms")
    .where("outbox.outcome", "in", ARRIVED)
    .where("outbox.createdAt", ">=", toMoment(subDays(now, MAX_AGE_DAYS)))
    .where("referral.deletedAt", "is", null)
    .where("referral.status", ">=", 0)
    .groupBy([
      "referral.id",
      "referral.status",
      "referral.mobilePhone",
      "referral.cprHash",
      "referral.operationDate",
      "referral.operationHour",
      "referral.operationMinute",
      "referral.firstName",
      "referral.lastName",
    ])
    .orderBy("lastMessageId", "desc")
    .execute();
}

export const lockAnswer = (tx: Tx, id: number): Promise<IncomingRow | undefined> =>
  forUpdate(tx, tx.selectFrom("incomingSms").selectAll().where("id", "=", id)).executeTakeFirst();

export async function updateAnswer(
  tx: Tx,
  id: number,
  set: { state: AnswerState; referralId?: number | null; isCancellation?: boolean },
  { by, now }: { by: number | null; now: Date },
): Promise<void> {
  await tx
    .updateTable("incomingSms")
    .set({
      state: set.state,
      settledBy: by,
      settledAt: toMoment(now),
      referralId: set.referralId,
      cancellationDetected: set.isCancellation,
    })
    .where("id", "=", id)
    .execute();
}

/** Marks a thread's answers as read; possible cancellations stay until decided. Returns how many. */
export async function settleUnread(
  tx: Tx,
  referralId: ScopedReferralId,
  { by, now }: { by: number; now: Date },
): Promise<number> {
  const settled = await tx
    .updateTable("incomingSms")
    .set({ state: "settled", settledBy: by, settledAt: toMoment(now) })
    .where("referralId", "=", referralId)
    .where("state", "=", "unread")
    .executeTakeFirst();
  return Number(settled.numUpdatedRows);
}

const MAX_IN_THREAD = 200;

const nthOfReferral = sql<number>`row_number() over (partition by referral_id order by id desc)`.as("nth");

/** SMS to and from patients of some referrals: the newest of each, newest first. */
export async function findThreads(db: DbOrTx, referralIds: readonly ScopedReferralId[]) {
  const outgoing = await db
    .selectFrom((eb) =>
      eb
        .selectFrom("outbox")
        .select([
          "id",
          "referralId",
          "kind",
          "outcome",
          "code",
          "detail",
          "reason",
          "createdAt",
          "sentAt",
          "rowKey",
          "recipientEncrypted",
          "contentEncrypted",
          "hasText",
          nthOfReferral,
        ])
        .where("referralId", "in", referralIds)
        .where("channel", "=", "sms")
        .where("outcome", "<>", "withdrawn")
        .as("message"),
    )
    .selectAll()
    .where("nth", "<=", MAX_IN_THREAD)
    .orderBy("id", "desc")
    .execute();
  const incoming = await db
    .selectFrom((eb) =>
      eb
        .selectFrom("incomingSms")
        .selectAll()
        .select(nthOfReferral)
        .where("referralId", "in", referralIds)
        .as("answer"),
    )
    .selectAll()
    .where("nth", "<=", MAX_IN_THREAD)
    .orderBy("id", "desc")
    .execute();
  return new Map(
    referralIds.map((id) => [
      id,
      {
        outgoing: outgoing.filter((each) => each.referralId === id),
        incoming: incoming.filter((each) => each.referralId === id),
      },
    ]),
  );
}

export const findUndecided = (db: DbOrTx, referralIds: readonly number[]): Promise<IncomingRow[]> =>
  db
    .selectFrom("incomingSms")
    .selectAll()
    .where("referralId", "in", referralIds)
    .where("state", "=", "possibly")
    .orderBy("id")
    .execute();

/** The oldest answers without a referral, those that name something clinical first. */
export const findUnplaced = (db: DbOrTx, limit: number): Promise<IncomingRow[]> =>
  db
    .selectFrom("incomingSms")
    .selectAll()
    .where("state", "=", "unplaced")
    .orderBy("hasAlarm", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
