import type { ExpressionBuilder } from "kysely";
import type { Database } from "~db/schema";
import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import { referralScope, type ScopedReferralId, trustedReferral } from "~/access/scope.server";
import {
  callUpSending,
  dischargeSending,
  ediColumns,
  letterSending,
  sendingColumns,
} from "~/features/referrals/model/sending-state";
import { type ReferralRow } from "./referral-store.server";
import type { Actor } from "~/access/actor";

export const findAppointments = (db: DbOrTx, referralId: ScopedReferralId) =>
  db
    .selectFrom("visitAppointment")
    .selectAll()
    .where("referralId", "=", referralId)
    .orderBy("date")
    .orderBy("id")
    .execute();

export async function findCallUps(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await db
    .selectFrom("callUp")
    .leftJoin("storedFile", "storedFile.id", "callUp.storedFileId")
    .leftJoin("outbox as sending", "sending.id", "callUp.outboxId")
    .selectAll("callUp")
    .select("storedFile.fileName as pdfFileName")
    .select(sendingColumns)
    .where("callUp.referralId", "=", referralId)
    .orderBy("callUp.id", "desc")
    .execute();
  return rows.map(callUpSending);
}

export async function findAppointmentLetters(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await db
    .selectFrom("appointmentLetter as letter")
    .leftJoin("outbox as sending", "sending.id", "letter.outboxId")
    .selectAll("letter")
    .select(sendingColumns)
    .where("letter.referralId", "=", referralId)
    .orderBy("letter.id", "desc")
    .execute();
  return rows.map(letterSending);
}

export async function findBilling(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await db
    .selectFrom("billingLetter as letter")
    .leftJoin("outbox as sending", "sending.id", "letter.outboxId")
    .selectAll("letter")
    .select(sendingColumns)
    .where("letter.referralId", "=", referralId)
    .orderBy("letter.id", "desc")
    .execute();
  return rows.map(letterSending);
}

export async function findDischargeLetters(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await db
    .selectFrom("dischargeLetter as letter")
    .leftJoin("storedFile as diagnosis", "diagnosis.id", "letter.diagnosisFileId")
    .leftJoin("outbox as sending", "sending.id", "letter.outboxId")
    .leftJoin("outbox as edi", "edi.id", "letter.ediOutboxId")
    .selectAll("letter")
    .select((eb) => [
      "diagnosis.fileName as diagnosisFileName",
      eb
        .selectFrom("dischargeLetterImage as image")
        .innerJoin("storedFile", "storedFile.id", "image.storedFileId")
        .select("storedFile.fileName")
        .whereRef("image.dischargeLetterId", "=", "letter.id")
        .orderBy("image.id")
        .limit(1)
        .as("radiographFileName"),
    ])
    .select(sendingColumns)
    .select(ediColumns)
    .where("letter.referralId", "=", referralId)
    .where("letter.deletedAt", "is", null)
    .orderBy("letterNumber")
    .execute();
  return rows.map(dischargeSending);
}

export async function findMessageReferral(db: DbOrTx, id: number | null): Promise<ReferralRow | undefined> {
  if (id === null) return undefined;
  return ofMessage(await db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirst());
}

export async function lockMessageReferral(tx: Tx, id: number): Promise<ReferralRow | undefined> {
  return ofMessage(await forUpdate(tx, tx.selectFrom("referral").selectAll().where("id", "=", id)).executeTakeFirst());
}

const ofMessage = <Row extends { id: number }>(row: Row | undefined) => row && { ...row, id: trustedReferral(row.id) };

/**
 * Number and oldest arrival of referrals in scope by status; with `today` those on hold are left out. Statuses without
 * any are absent.
 */
export async function countByStatus(
  db: DbOrTx,
  actor: Actor,
  statuses: number[],
  today: string | null,
): Promise<{ status: number; count: number; oldest: string }[]> {
  const rows = await db
    .selectFrom("referral")
    .select((eb) => ["status", eb.fn.countAll<number>().as("count"), eb.fn.min("createDate").as("oldest")])
    .where(referralScope(actor))
    .where("status", "in", statuses)
    .$if(today !== null, (query) => query.where("holdUntil", "<=", today!))
    .groupBy("status")
    .execute();
  return rows.map(({ status, count, oldest }) => ({ status, count: Number(count), oldest }));
}

/** As the clinic has judged, else as the referrer says. Uses the triage order, whose index is per status. */
export const isUrgent = (eb: ExpressionBuilder<Database, "referral">) => eb("referral.triageOrder", "<", "1");

export const isUntriaged = (eb: ExpressionBuilder<Database, "referral">) => eb("referral.triagedAt", "is", null);

/** Number and oldest arrival of urgent, untriaged referrals of these statuses in scope, also on hold; null without any. */
export async function countUrgent(
  db: DbOrTx,
  actor: Actor,
  statuses: readonly number[],
): Promise<{ count: number; oldest: string } | null> {
  const { count, first } = await db
    .selectFrom("referral")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("triageOrder").as("first")])
    .where(referralScope(actor))
    .where("status", "in", statuses)
    .where(isUrgent)
    .where(isUntriaged)
    .executeTakeFirstOrThrow();
  return first === null ? null : { count: Number(count), oldest: first.slice(1) };
}

/** Counts referrals with a status of `ever`, or with one of `since` from before a moment. */
export async function countWaiting(
  db: DbOrTx,
  { ever, since, before }: { ever: number[]; since: number[]; before: string },
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("referral")
    .select((eb) => ["status", eb.fn.countAll<number>().as("count")])
    .where((eb) =>
      eb.or([eb.and([eb("status", "in", since), eb("statusSince", "<", before)]), eb("status", "in", ever)]),
    )
    .groupBy("status")
    .execute();
  return new Map(rows.map(({ status, count }) => [status, Number(count)]));
}
