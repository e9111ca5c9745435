import { isDuplicate } from "~db/connection.server";
import { change, type ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { insertVisitLogEntry, type ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { bringForward, type LetterRow } from "./store.server";
import { letterChanged, oneLetter, openLetter } from "./open-letter.server";
import { NO_PDF_TEXT } from "./letter-rules";
import { letterReceiver, queueLetter } from "./queue-letter.server";

const isOnItsWay = new Refusal("conflict", { text: "Brevet er ved at blive sendt." });

/**
 * 'Gensend' (POST /TerminationLetters/{id}/resendemail/{n}): sends the mail again, or a waiting one now. Throws
 * `fileMissing` without a PDF, `invalid` without a receiver, `conflict` and `notInScope`.
 */
export const resendLetter = change({
  name: "resendLetter",
  permission: "dischargeLetter.manage",
  idempotent: true,
  input: oneLetter,
  async run(context, { referralId, letterNumber }) {
    const { row, letter } = await openLetter(context, referralId, letterNumber);
    await sendAgain(context, row, letter);
    return letterChanged(row.id, `Udskrivningsbrev ${letterNumber} er sat i kø.`);
  },
});

/** Resends a locked letter as the first of two new sendings. */
export async function sendAgain(context: ChangeContext, row: ReferralRow, letter: LetterRow): Promise<void> {
  const { tx, person, now } = context;
  if (letter.diagnosis_file_name === null) throw new Refusal("fileMissing", { text: NO_PDF_TEXT });
  const receiver = await letterReceiver(tx, row);
  const waiting = waitingMessages(letter);
  if (waiting.length > 0) {
    let isAny = false;
    for (const id of waiting) isAny = (await bringForward(tx, id, now)) || isAny;
    if (!isAny) throw isOnItsWay;
  } else {
    // An EDI message without a receipt is not repeated; a person who cannot wait sends the mail.
    const only = letter.edi_outcome === "awaiting" ? ("email" as const) : undefined;
    try {
      await queueLetter(context, row, letter, {
        receiver,
        attempt: 1,
        requestedBy: person.id,
        ...(only ? { only } : {}),
      });
    } catch (error) {
      if (isDuplicate(error)) throw isOnItsWay;
      throw error;
    }
  }
  await logQueued(context, row, letter.letter_number, "sat i kø igen");
  invalidateCounts(context);
}

export async function logQueued(
  { tx, actor, now, auditChange }: ChangeContext,
  row: ReferralRow,
  letterNumber: number,
  what: string,
): Promise<void> {
  await insertVisitLogEntry(
    tx,
    actor,
    { referralId: row.id, status: row.status, event: `Udskrivningsbrev ${letterNumber} ${what}` },
    now,
  );
  auditChange([row.id], `discharge letter ${letterNumber}`);
}

const waitingMessages = (letter: LetterRow): number[] => [
  ...(letter.sending_outcome === "queued" ? [letter.outbox_id!] : []),
  ...(letter.edi_outcome === "queued" ? [letter.edi_outbox_id!] : []),
];

export async function withdrawWaiting({ outbox }: Pick<ChangeContext, "outbox">, letter: LetterRow): Promise<boolean> {
  let isAny = false;
  for (const id of waitingMessages(letter)) isAny = (await outbox.withdrawMessage(id)) || isAny;
  return isAny;
}

/** 'Annullér': withdraws unsent mail and EDI messages. Throws `conflict` when sending has begun. */
export const withdrawLetter = change({
  name: "withdrawLetter",
  permission: "dischargeLetter.manage",
  input: oneLetter,
  async run(context, { referralId, letterNumber }) {
    const { row, letter } = await openLetter(context, referralId, letterNumber);
    if (!(await withdrawWaiting(context, letter)))
      throw new Refusal("conflict", { text: "Brevet er sendt, eller ved at blive sendt, og kan ikke tages tilbage." });
    await logQueued(context, row, letterNumber, "annulleret");
    invalidateCounts(context);
    return letterChanged(row.id, `Udskrivningsbrev ${letterNumber} er taget ud af køen.`);
  },
});
