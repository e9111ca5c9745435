import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { showDateTime, showDay } from "~/text/dates";
import { appointmentTypeLabel, callUpBanner, callUpState, callUpTypeLabel, deliveryState, letterState } from "./case-sections";
import { findCaseSections } from "./case-section-store.server";
import type { ReferralRow } from "./referral-store.server";

/** Letter attempts are shown as n/2 (specification 1 §9). */
const MOST_ATTEMPTS = 2;

/** Plan, call-ups and letters of a referral that was found in the reader's scope; contents are staff's alone. */
export async function readCaseSections(db: DbOrTx, secrets: Secrets, row: ReferralRow, isStaff: boolean) {
  const found = await findCaseSections(db, row.id);
  const sentAt = (moment: string | null) => (moment === null ? "Ingen afsendelsesdato" : showDateTime(moment));
  const contentOf = (encrypted: string | null) => (isStaff && encrypted !== null ? secrets.decrypt("outbox", encrypted) : null);
  return {
    appointments: found.appointments.map((line) => ({
      id: line.id,
      date: `${showDay(line.date)}${line.time ? ` kl. ${line.time.replace(":", ".")}` : ""}`,
      treatment: line.treatment,
      externalCode: line.external_code,
      isCancelled: line.is_cancelled === 1,
    })),
    callUpBanner: callUpBanner[row.call_up_status ?? 0] ?? null,
    callUps: found.callUps.map((line) => ({
      id: line.id,
      type: callUpTypeLabel(line.incall_type),
      at: sentAt(line.incall_date),
      state: callUpState(line.call_up_status),
      content: contentOf(line.content_encrypted),
    })),
    appointmentLetters: found.appointmentLetters.map((line) => ({
      id: line.id,
      type: appointmentTypeLabel(line.appointment_type),
      at: sentAt(line.send_date),
      state: deliveryState(line.status),
      content: contentOf(line.content_encrypted),
    })),
    billing: found.billing.map((line) => ({ id: line.id, type: line.kind === "invoice" ? "Faktura" : "Overslag", at: sentAt(line.send_date), state: deliveryState(line.status) })),
    letters: found.letters.map((letter) => ({
      number: letter.letter_number,
      at: sentAt(letter.send_date),
      letterFile: letter.diagnosis_file_name,
      imagesFile: letter.radiograph_file_name,
      recipient: isStaff ? letter.recipient_email : null,
      attempts: isStaff ? `${letter.attempts}/${MOST_ATTEMPTS}` : null,
      state: isStaff ? letterState(letter.status, letter.error_message) : null,
      isEdi: letter.is_edi === 1,
    })),
  };
}
