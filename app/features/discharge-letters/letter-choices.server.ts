import { z } from "zod";
import { change, type ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findLetterReceiver } from "~/features/directory/find-letter-receiver.server";
import {
  lockReferral,
  insertVisitLogEntry,
  type ReferralRow,
} from "~/features/referrals/details/messaged-referral.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { type LetterRow, updateLetter, writeDeclined } from "./store.server";
import { DECLINED_TEXT } from "./letter-rules";
import { letterChanged, oneLetter, openLetter } from "./open-letter.server";
import { letterError, queueLetter } from "./queue-letter.server";
import { logQueued } from "./resend-letter.server";

/**
 * 'Send også som system-e-mail' of an EDI letter (PUT /TerminationLetters/edi/{id}/number/{n}), for the present and
 * later sendings. Throws `invalid` for other letters.
 */
export const setEdiAsEmail = change({
  name: "setEdiAsEmail",
  permission: "dischargeLetter.manage",
  input: oneLetter.extend({
    sendEdiTerminationAsEmail: z.union([z.boolean(), z.enum(["on", "off"])]).default("off"),
  }),
  async run(context, { referralId, letterNumber, sendEdiTerminationAsEmail: wanted }) {
    const { row, letter } = await openLetter(context, referralId, letterNumber);
    if (letter.is_edi !== 1) throw new Refusal("invalid", { text: "Brevet sendes ikke via EDI." });
    const isOn = wanted === true || wanted === "on";
    await updateLetter(
      context.tx,
      letter.id,
      { send_edi_as_email: isOn ? 1 : 0 },
      { personId: context.person.id, now: context.now },
    );
    context.auditChange([row.id], `discharge letter ${letterNumber}`);
    return letterChanged(row.id, isOn ? await sendMailToo(context, row, letter) : await withdrawMail(context, letter));
  },
});

/** Sends the mail for a letter that went by EDI only. */
async function sendMailToo(context: ChangeContext, row: ReferralRow, letter: LetterRow): Promise<string> {
  const isUnmailed = letter.outbox_id === null || letter.sending_outcome === "withdrawn";
  const isAlone = letter.edi_outcome !== null && isUnmailed && letter.diagnosis_file_id !== null;
  const receiver = await findLetterReceiver(context.tx, row.referrer_id);
  if (!isAlone || receiver === null || letterError(row, receiver) !== null)
    return "Brevet sendes også som system-e-mail.";
  await queueLetter(context, row, letter, { receiver, attempt: 1, requestedBy: context.person.id, only: "email" });
  await logQueued(context, row, letter.letter_number, "sat i kø som e-mail");
  return "Brevet sendes også som system-e-mail: den er sat i kø.";
}

async function withdrawMail({ outbox }: ChangeContext, letter: LetterRow): Promise<string> {
  const isByEdi = letter.edi_outcome !== null && ["queued", "awaiting", "sent"].includes(letter.edi_outcome);
  const isTaken = isByEdi && letter.sending_outcome === "queued" && (await outbox.withdrawMessage(letter.outbox_id!));
  return isTaken
    ? "Brevet sendes ikke også som system-e-mail: den er taget ud af køen."
    : "Brevet sendes ikke også som system-e-mail.";
}

/**
 * 'Patienten har frabedt sig brev til henviser': withdraws unsent letters, sends no more, and hides letters from the
 * referrer; or reverts that. Throws `notInScope`.
 */
export const declineLetters = change({
  name: "declineLetters",
  permission: "dischargeLetter.manage",
  input: z.object({ referralId: z.coerce.number().int(), declined: z.enum(["on", "off"]).default("off") }),
  async run(context, { referralId, declined }) {
    const { tx, actor, outbox, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const isDeclined = declined === "on";
    if ((row.declines_discharge_letter === 1) === isDeclined) return letterChanged(row.id, "Intet er ændret.");
    await writeDeclined(tx, row.id, isDeclined);
    if (isDeclined) await outbox.withdraw("dischargeLetter", [row.id]);
    const event = isDeclined ? DECLINED_TEXT : "Patienten har ikke længere frabedt sig brev til henviser";
    await insertVisitLogEntry(tx, actor, { referralId: row.id, status: row.status, event }, now);
    invalidateCounts(context);
    auditChange([row.id], isDeclined ? "discharge letters declined" : "discharge letters no longer declined");
    return letterChanged(row.id, `${event}.`);
  },
});
