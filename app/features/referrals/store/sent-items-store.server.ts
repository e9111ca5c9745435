import { type DbOrTx, forUpdate, type Tx, changesAny } from "~db/connection.server";
import { referralScope, type ScopedReferralId, trustedReferral } from "~/access/scope.server";
import {
  callUpSending,
  dischargeSending,
  ediColumns,
  letterSending,
  sendingColumns,
} from "~/features/referrals/model/sending-state";
import { markReferrals } from "~db/marked-rows.server";
import { toMoment } from "~/text/dates";
import { type ReferralRow, withoutComment } from "./referral-store.server";
import type { Actor } from "~/access/actor";

export const findAppointments = (db: DbOrTx, referralId: ScopedReferralId) =>
  db
    .selectFrom("visit_appointment")
    .selectAll()
    .where("referral_id", "=", referralId)
    .orderBy("date")
    .orderBy("id")
    .execute();

export async function findCallUps(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await db
    .selectFrom("call_up")
    .leftJoin("stored_file", "stored_file.id", "call_up.stored_file_id")
    .leftJoin("outbox as sending", "sending.id", "call_up.outbox_id")
    .selectAll("call_up")
    .select("stored_file.file_name as pdf_file_name")
    .select(sendingColumns)
    .where("call_up.referral_id", "=", referralId)
    .orderBy("call_up.id", "desc")
    .execute();
  return rows.map(callUpSending);
}

export async function findAppointmentLetters(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await db
    .selectFrom("appointment_letter as letter")
    .leftJoin("outbox as sending", "sending.id", "letter.outbox_id")
    .selectAll("letter")
    .select(sendingColumns)
    .where("letter.referral_id", "=", referralId)
    .orderBy("letter.id", "desc")
    .execute();
  return rows.map(letterSending);
}

export async function findBilling(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await db
    .selectFrom("billing_letter as letter")
    .leftJoin("outbox as sending", "sending.id", "letter.outbox_id")
    .selectAll("letter")
    .select(sendingColumns)
    .where("letter.referral_id", "=", referralId)
    .orderBy("letter.id", "desc")
    .execute();
  return rows.map(letterSending);
}

export async function findDischargeLetters(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await db
    .selectFrom("discharge_letter as letter")
    .leftJoin("stored_file as diagnosis", "diagnosis.id", "letter.diagnosis_file_id")
    .leftJoin("outbox as sending", "sending.id", "letter.outbox_id")
    .leftJoin("outbox as edi", "edi.id", "letter.edi_outbox_id")
    .selectAll("letter")
    .select((eb) => [
      "diagnosis.file_name as diagnosis_file_name",
      eb
        .selectFrom("discharge_letter_image as image")
        .innerJoin("stored_file", "stored_file.id", "image.stored_file_id")
        .select("stored_file.file_name")
        .whereRef("image.discharge_letter_id", "=", "letter.id")
        .orderBy("image.id")
        .limit(1)
        .as("radiograph_file_name"),
    ])
    .select(sendingColumns)
    .select(ediColumns)
    .where("letter.referral_id", "=", referralId)
    .where("letter.deleted_at", "is", null)
    .orderBy("letter_number")
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
 * Changes the status if it is still the given one (since exactly `since`, if set), and raises its version. Returns
 * whether it did.
 */
export async function moveStatus(
  tx: Tx,
  referralId: number,
  { from, to, since }: { from: number; to: number; since?: string },
  now: Date,
): Promise<boolean> {
  markReferrals(tx, [referralId]);
  return changesAny(
    tx
      .updateTable("referral")
      .set((eb) => ({ status: to, status_since: toMoment(now), status_version: eb("status_version", "+", 1) }))
      .set(withoutComment(to))
      .where("id", "=", referralId)
      .where("status", "=", from)
      .$if(since !== undefined, (query) => query.where("status_since", "=", since!)),
  );
}

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
    .select((eb) => ["status", eb.fn.countAll<number>().as("count"), eb.fn.min("create_date").as("oldest")])
    .where(referralScope(actor))
    .where("status", "in", statuses)
    .$if(today !== null, (query) => query.where("hold_until", "<=", today!))
    .groupBy("status")
    .execute();
  return rows.map(({ status, count, oldest }) => ({ status, count: Number(count), oldest }));
}

/** Number and oldest arrival of urgent referrals of these statuses in scope, also on hold; null without any. */
export async function countUrgent(
  db: DbOrTx,
  actor: Actor,
  statuses: readonly number[],
): Promise<{ count: number; oldest: string } | null> {
  const { count, first } = await db
    .selectFrom("referral")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("queue_order").as("first")])
    .where(referralScope(actor))
    .where("status", "in", statuses)
    .where("queue_order", "<", "1")
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
      eb.or([eb.and([eb("status", "in", since), eb("status_since", "<", before)]), eb("status", "in", ever)]),
    )
    .groupBy("status")
    .execute();
  return new Map(rows.map(({ status, count }) => [status, Number(count)]));
}
