import { z } from "zod";
import { change, type ChangeContext } from "~/access/operation.server";
import { leftOutText } from "~/features/patient-links/files-of-link.server";
import { queuePatientLink } from "~/features/patient-links/queue-patient-link.server";
import { linkWays } from "~/features/patient-messages/ways";
import type { ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { letterChanged, oneLetter, openLetter } from "./open-letter.server";

const types: readonly number[] = linkWays.map(({ value }) => value);
const CHOOSE = "Vælg e-Boks eller SMS.";

const toPatient = oneLetter.extend({
  messageType: z.coerce
    .number<unknown>(CHOOSE)
    .int()
    .refine((value) => types.includes(value), CHOOSE),
});

/**
 * 'Send link til røntgen til patienten' (POST /TerminationLetters/{id}/rentgen/{n}/send-message-to-patient): by 0
 * e-Boks or 1 SMS. Throws `invalid` without an image or if the channel cannot be used, and `notInScope`.
 */
export const sendLetterImages = change({
  name: "sendLetterImages",
  permission: "patientMessage.send",
  idempotent: true,
  input: toPatient,
  async run(context, { referralId, letterNumber, messageType: type }) {
    const { row } = await openLetter(context, referralId, letterNumber);
    return queued(context, row, { purpose: "radiographLink", letterNumber, type });
  },
});

/** 'Send brevet til patienten': a link to the letter and its images, by 0 e-Boks or 1 SMS. Throws as `sendLetterImages` does. */
export const sendLetterToPatient = change({
  name: "sendLetterToPatient",
  permission: "patientMessage.send",
  idempotent: true,
  input: toPatient,
  async run(context, { referralId, letterNumber, messageType: type }) {
    const { row } = await openLetter(context, referralId, letterNumber);
    return queued(context, row, { purpose: "letterFilesLink", letterNumber, type });
  },
});

const done = {
  radiographLink: "Linket til røntgenbillederne er sat i kø til patienten.",
  letterFilesLink: "Linket til brevet er sat i kø til patienten.",
};

async function queued(context: ChangeContext, row: ReferralRow, link: Parameters<typeof queuePatientLink>[2]) {
  await queuePatientLink(context, row, link);
  const left = await leftOutText(context.tx, context.portal.secrets, row, link);
  return letterChanged(row.id, `${done[link.purpose]}${left}`);
}
