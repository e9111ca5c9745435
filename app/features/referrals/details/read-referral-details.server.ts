import type { DbOrTx } from "~db/connection.server";
import { sealedAppointmentLetter, sealedCallUp } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { showDateTime, showDay } from "~/text/dates";
import {
  appointmentTypeLabel,
  callUpBanner,
  callUpState,
  callUpTypeLabel,
  deliveryState,
  letterState,
} from "./sent-items";
import { findCaseSections } from "~/features/referrals/store/referral-details-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

/** Letter attempts are shown as n/2. */
const MOST_ATTEMPTS = 2;

/** Plan, call-ups and letters of a referral that was found in the reader's scope; contents are staff's alone. */
export async function readCaseSections(db: DbOrTx, secrets: Secrets, row: ReferralRow, seesInternal: boolean) {
  const found = await findCaseSections(db, row.id);
  const sentAt = (moment: string | null) => (moment === null ? "Ingen afsendelsesdato" : showDateTime(moment));
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
      content: seesInternal ? sealedCallUp.open(secrets, line) : null,
    })),
    appointmentLetters: found.appointmentLetters.map((line) => ({
      id: line.id,
      type: appointmentTypeLabel(line.appointment_type),
      at: sentAt(line.send_date),
      state: deliveryState(line.status),
      content: seesInternal ? sealedAppointmentLetter.open(secrets, line) : null,
    })),
    billing: found.billing.map((line) => ({
      id: line.id,
      type: line.kind === "invoice" ? "Faktura" : "Overslag",
      at: sentAt(line.send_date),
      state: deliveryState(line.status),
    })),
    letters: found.letters.map((letter) => ({
      number: letter.letter_number,
      at: sentAt(letter.send_date),
      letterFile: letter.diagnosis_file_name,
      imagesFile: letter.radiograph_file_name,
      recipient: seesInternal ? letter.recipient_email : null,
      attempts: seesInternal ? `${letter.attempts}/${MOST_ATTEMPTS}` : null,
      state: seesInternal ? letterState(letter.status, letter.error_message) : null,
      isEdi: seesInternal && letter.is_edi === 1,
    })),
  };
}
