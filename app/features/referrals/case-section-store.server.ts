import type { DbOrTx } from "~db/connection.server";

/** Everything an open referral shows of its plan and of what was sent about it: five short look-ups by the referral's index. */
export async function findCaseSections(db: DbOrTx, referralId: number) {
  return {
    appointments: await db.selectFrom("visit_appointment").selectAll().where("referral_id", "=", referralId).orderBy("date").orderBy("id").execute(),
    callUps: await db
      .selectFrom("call_up")
      .leftJoin("stored_file", "stored_file.id", "call_up.stored_file_id")
      .selectAll("call_up")
      .select("stored_file.file_name as pdf_file_name")
      .where("call_up.referral_id", "=", referralId)
      .orderBy("call_up.id", "desc")
      .execute(),
    appointmentLetters: await db.selectFrom("appointment_letter").selectAll().where("referral_id", "=", referralId).orderBy("id", "desc").execute(),
    billing: await db.selectFrom("billing_letter").selectAll().where("referral_id", "=", referralId).orderBy("id", "desc").execute(),
    letters: await db
      .selectFrom("discharge_letter")
      .leftJoin("stored_file as diagnosis", "diagnosis.id", "discharge_letter.diagnosis_file_id")
      .leftJoin("stored_file as radiographs", "radiographs.id", "discharge_letter.radiograph_file_id")
      .selectAll("discharge_letter")
      .select(["diagnosis.file_name as diagnosis_file_name", "radiographs.file_name as radiograph_file_name"])
      .where("discharge_letter.referral_id", "=", referralId)
      .where("discharge_letter.deleted_at", "is", null)
      .orderBy("letter_number")
      .execute(),
  };
}
