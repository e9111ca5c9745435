import type { NewOutcome, SettledMessage, Settling } from "~/features/delivery/kind-hooks";
import { handleByPortal } from "~/features/delivery/handle-failures.server";
import { findLetterReceiver } from "~/features/directory/find-letter-receiver.server";
import { findMessageReferral, insertVisitLogEntry } from "~/features/referrals/details/messaged-referral.server";
import { findSendings, type SentLetter } from "./letter-sending-store.server";
import { DECLINED_TEXT } from "./letter-rules";
import { letterError, queueLetter } from "./queue-letter.server";

const SYSTEM = { kind: "system", job: "outbox" } as const;

/** Reacts to a new outcome of a letter's EDI message. */
export async function followEdi(
  context: Settling,
  letter: SentLetter,
  message: SettledMessage,
  { outcome, detail }: NewOutcome,
): Promise<void> {
  const { tx, outbox, now } = context;
  if (letter.edi_outbox_id !== message.id) {
    // A newer message is under way or went by mail.
    if (outcome === "failed" || outcome === "unknown") await handleByPortal(tx, [message.id], "Sendt igen siden", now);
    return;
  }
  if (outcome === "failed" || outcome === "unknown") await sendByMailInstead(context, letter, message, detail);
  // The mail was only a substitute.
  if (outcome === "sent" && letter.outbox_id !== null && letter.send_edi_as_email === 0)
    await outbox.withdrawMessage(letter.outbox_id);
}

/**
 * Sends a letter by mail when EDI refused it, could not carry it, or got no receipt; part of the same sending. If no
 * mail can be sent either, it is a failure for a person.
 */
async function sendByMailInstead(
  context: Settling,
  letter: SentLetter,
  message: SettledMessage,
  detail: string | null,
): Promise<void> {
  const { tx, now } = context;
  const row = await findMessageReferral(tx, letter.referral_id);
  if (row === undefined || letter.deleted_at !== null || letter.diagnosis_file_id === null)
    return handleByPortal(tx, [message.id], "Brevet er slettet", now);
  if (row.declines_discharge_letter === 1) return handleByPortal(tx, [message.id], DECLINED_TEXT, now);
  const mail = (await findSendings(tx, letter)).find(({ id }) => id === letter.outbox_id);
  if (mail?.outcome === "failed" || mail?.outcome === "unknown") return;
  const isMailed = mail !== undefined && mail.outcome !== "withdrawn";
  const receiver = isMailed ? null : await findLetterReceiver(tx, row.referrer_id);
  if (!isMailed && (receiver === null || letterError(row, receiver) !== null)) return;
  await handleByPortal(tx, [message.id], "Brevet går som e-mail i stedet", now);
  if (receiver === null) return;
  await queueLetter(context, row, letter, { receiver, attempt: 1, requestedBy: null, only: "email" });
  const event = `Udskrivningsbrev ${letter.letter_number} går som e-mail i stedet for EDI${detail === null ? "" : `: ${detail}`}`;
  await insertVisitLogEntry(tx, SYSTEM, { referralId: row.id, status: row.status, event: event.slice(0, 200) }, now);
}
