import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { can } from "~/access/permissions";
import { read, type ReadContext, wholeNumber } from "~/access/operation.server";
import { sealedAppointmentLetter, sealedCallUp } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import {
  findAppointmentLetters,
  findAppointments,
  findBilling,
  findCallUps,
  findDischargeLetters,
} from "~/features/referrals/store/sent-items-store.server";
import type { Sending } from "~/features/referrals/model/sending-state";
import { findReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";

interface Reading {
  db: DbOrTx;
  secrets: Secrets;
  row: ReferralRow;
  seesInternal: boolean;
}

const withdrawal = (line: Sending, seesInternal: boolean) => ({
  isWithdrawn: line.sendingOutcome === "withdrawn",
  withdrawnBecause: seesInternal && line.sendingOutcome === "withdrawn" ? line.sendingDetail : null,
});

const callUpsOf = async ({ db, secrets, row, seesInternal }: Reading) =>
  (await findCallUps(db, row.id)).map((line) => ({
    id: line.id,
    type: line.callUpType,
    status: line.callUpStatus,
    sentAt: line.incallDate,
    fileName: line.pdfFileName,
    logId: seesInternal ? line.visitLogId : null,
    content: seesInternal ? sealedCallUp.open(secrets, line) : null,
  }));

const appointmentLettersOf = async ({ db, secrets, row, seesInternal }: Reading) =>
  (await findAppointmentLetters(db, row.id)).map((line) => ({
    id: line.id,
    type: line.appointmentType,
    status: line.status,
    createdAt: line.createdAt,
    sentAt: line.sendDate,
    ...withdrawal(line, seesInternal),
    canWithdraw: seesInternal && line.sendingOutcome === "queued" && line.sendingAttempts === 0,
    content: seesInternal ? sealedAppointmentLetter.open(secrets, line) : null,
  }));

const billingOf = async ({ db, row, seesInternal }: Reading) =>
  (await findBilling(db, row.id)).map((line) => ({
    id: line.id,
    kind: line.kind,
    status: line.status,
    createdAt: line.createdAt,
    sentAt: line.sendDate,
    ...withdrawal(line, seesInternal),
  }));

async function dischargeLettersOf({ db, row, seesInternal }: Reading) {
  // Letters the patient declined are visible to staff only.
  if (row.declinesDischargeLetter && !seesInternal) return [];
  return (await findDischargeLetters(db, row.id)).map((letter) => ({
    number: letter.letterNumber,
    sentAt: letter.sendDate,
    letterFile: letter.diagnosisFileName,
    imagesFile: letter.radiographFileName,
    recipient: seesInternal ? letter.recipientEmail : null,
    delivery: seesInternal ? { status: letter.status, error: letter.errorMessage, attempts: letter.attempts } : null,
    isEdi: seesInternal && letter.isEdi,
  }));
}

/** Times and sent items of an open referral; messages to the patient are for staff only. `billing` is null for those who may not see it. */
export async function sentItemsOf(reading: Reading, { seesBilling }: { seesBilling: boolean }) {
  const [appointments, callUps, appointmentLetters, billing, letters] = await Promise.all([
    findAppointments(reading.db, reading.row.id),
    callUpsOf(reading),
    appointmentLettersOf(reading),
    seesBilling ? billingOf(reading) : null,
    dischargeLettersOf(reading),
  ]);
  return {
    appointments: appointments.map((line) => ({
      id: line.id,
      date: line.date,
      time: line.time,
      treatment: line.treatment,
      externalCode: line.externalCode,
      isCancelled: line.isCancelled,
    })),
    callUpStatus: reading.row.callUpStatus,
    callUps,
    appointmentLetters,
    billing,
    letters,
  };
}

const oneReferral = z.object({ referralId: wholeNumber.positive() });

const section =
  <T>(readLines: (reading: Reading) => Promise<T[]>) =>
  async ({ db, person, portal, auditRead }: ReadContext, { referralId }: z.output<typeof oneReferral>) => {
    const row = await findReferral(db, person, referralId);
    auditRead([row.id]);
    const lines = await readLines({
      db,
      secrets: portal.secrets,
      row,
      seesInternal: can(person, "referral.readInternal"),
    });
    return { lines };
  };

/**
 * Call-ups of a referral; moments are UTC, `type` and `status` the numbers that the lists show. `content` and `logId`
 * are null for readers without `referral.readInternal`. Throws `notInScope`.
 */
export const readCallUpsSent = read({
  name: "readCallUpsSent",
  permission: "referral.read",
  input: oneReferral,
  run: section(callUpsOf),
});

/**
 * Appointment letters of a referral, newest first; moments are UTC, `type` and `status` are the numbers that the
 * lists show. `content` and the reason of a withdrawal are null for readers without `referral.readInternal`. Throws
 * `notInScope`.
 */
export const readAppointmentLetters = read({
  name: "readAppointmentLetters",
  permission: "referral.read",
  input: oneReferral,
  run: section(appointmentLettersOf),
});

/**
 * Invoices and estimates of a referral (GET /Invoices/{id}); moments are UTC, `status` is one of the eleven delivery
 * states. Throws `notInScope`.
 */
export const readBilling = read({
  name: "readBilling",
  permission: "billing.read",
  input: oneReferral,
  run: section(billingOf),
});
