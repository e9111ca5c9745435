import type { DbOrTx } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";
import {
  callUpSending,
  dischargeSending,
  ediColumns,
  letterSending,
  sendingColumns,
} from "~/features/referrals/model/sending-state";

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
