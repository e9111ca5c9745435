import type { DbOrTx } from "~db/connection.server";
import { sealedAppointmentLetter, sealedCallUp } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { isoMoment } from "~/text/dates";
import { findSentItems } from "~/features/referrals/store/sent-items-store.server";
import type { Sending } from "~/features/referrals/model/sending-state";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

/** Whether it was withdrawn before it left, and for staff why. */
const withdrawal = (line: Sending, seesInternal: boolean) => ({
  isWithdrawn: line.sending_outcome === "withdrawn",
  withdrawnBecause: seesInternal && line.sending_outcome === "withdrawn" ? line.sending_detail : null,
});

/**
 * Plan, call-ups and letters of a referral that was found in the reader's scope; contents are staff's alone, and so are letters that the patient
 * does not want the referrer to have.
 */
export async function readSentItems(db: DbOrTx, secrets: Secrets, row: ReferralRow, seesInternal: boolean) {
  const found = await findSentItems(db, row.id);
  const moment = (at: string | null) => (at === null ? null : isoMoment(at));
  return {
    appointments: found.appointments.map((line) => ({
      id: line.id,
      date: line.date,
      time: line.time,
      treatment: line.treatment,
      externalCode: line.external_code,
      isCancelled: line.is_cancelled === 1,
    })),
    callUpStatus: row.call_up_status,
    callUps: found.callUps.map((line) => ({
      id: line.id,
      type: line.call_up_type,
      status: line.call_up_status,
      sentAt: moment(line.incall_date),
      fileName: line.pdf_file_name,
      logId: seesInternal ? line.visit_log_id : null,
      content: seesInternal ? sealedCallUp.open(secrets, line) : null,
    })),
    appointmentLetters: found.appointmentLetters.map((line) => ({
      id: line.id,
      type: line.appointment_type,
      status: line.status,
      createdAt: isoMoment(line.created_at),
      sentAt: moment(line.send_date),
      ...withdrawal(line, seesInternal),
      /** No worker has begun to send it. */
      canWithdraw: seesInternal && line.sending_outcome === "queued" && line.sending_attempts === 0,
      content: seesInternal ? sealedAppointmentLetter.open(secrets, line) : null,
    })),
    billing: found.billing.map((line) => ({
      id: line.id,
      kind: line.kind,
      status: line.status,
      createdAt: isoMoment(line.created_at),
      sentAt: moment(line.send_date),
      ...withdrawal(line, seesInternal),
    })),
    letters: (row.declines_discharge_letter === 1 && !seesInternal ? [] : found.letters).map((letter) => ({
      number: letter.letter_number,
      sentAt: moment(letter.send_date),
      letterFile: letter.diagnosis_file_name,
      imagesFile: letter.radiograph_file_name,
      recipient: seesInternal ? letter.recipient_email : null,
      /** Of the delivery, null for others than staff; and what went wrong. */
      delivery: seesInternal ? { status: letter.status, error: letter.error_message, attempts: letter.attempts } : null,
      isEdi: seesInternal && letter.is_edi === 1,
    })),
  };
}
