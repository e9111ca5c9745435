import { addMinutes } from "date-fns";
import type { Tx } from "~db/connection.server";
import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { handleByPortal } from "~/features/delivery/handle-failures.server";
import { findLetterReceiver, type LetterReceiver } from "~/features/directory/find-letter-receiver.server";
import type { ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";
import { findLetterImages, type LetterRow, updateLetter } from "./discharge-letter-store.server";
import { letterMail } from "./letter-mail.server";
import { findSendings } from "./letter-sending-store.server";
import { DECLINED_TEXT } from "./letter-rules";

type Context = Pick<ChangeContext, "tx" | "outbox" | "now"> & { portal: Pick<Portal, "config"> };
type Letter = Pick<LetterRow, "id" | "referral_id" | "letter_number" | "outbox_id">;

/** The second sending of a letter waits so long after the first has failed. */
const SECOND_AFTER_MINUTES = 60;

/** Whom the letter of a referral goes to. Throws `invalid` where it can go to nobody. */
export async function letterReceiver(tx: Tx, row: ReferralRow): Promise<LetterReceiver> {
  const receiver = await findLetterReceiver(tx, row.referrer_id);
  const fault = faultOf(row, receiver);
  if (fault !== null) throw new Refusal("invalid", { text: fault, fields: { diagnose: [fault] } });
  return receiver!;
}

/** Why a letter cannot go to a referrer; null when it can. */
export function faultOf(
  row: Pick<ReferralRow, "declines_discharge_letter">,
  receiver: LetterReceiver | null,
): string | null {
  if (row.declines_discharge_letter === 1) return `${DECLINED_TEXT}.`;
  if (receiver === null) return "Vælg henviser først";
  if (!receiver.isActive) return "Henviseren er ikke længere aktiv. Vælg en anden henviser først.";
  return receiver.email === "" ? "Henviseren har ingen e-mail. Skriv den på henviseren først." : null;
}

/**
 * Queues the mail about a letter that has its PDF, of a referral that this transaction holds; it repeats the letter's former sending, which
 * nobody has to look after any more. `attempt`: the first or the second of its two.
 */
export async function queueLetter(
  { tx, outbox, portal, now }: Context,
  row: Pick<ReferralRow, "id" | "is_test" | "surgeon_id">,
  letter: Letter,
  {
    receiver,
    attempt,
    requestedBy,
    surgeonEmail,
  }: { receiver: LetterReceiver; attempt: 1 | 2; requestedBy: number | null; surgeonEmail?: string | null },
): Promise<void> {
  const images = await findLetterImages(tx, [letter.id]);
  const mail = await letterMail(tx, portal, {
    referralId: row.id,
    letterNumber: letter.letter_number,
    receiver,
    hasImages: images.length > 0,
    isTest: row.is_test === 1,
  });
  const former = (await findSendings(tx, letter))[0];
  const outboxId = await outbox.email({
    kind: "dischargeLetter",
    to: receiver.email,
    referralId: row.id,
    userId: receiver.id,
    ...mail,
    ...(requestedBy === null ? {} : { requestedBy }),
    ...(former === undefined ? {} : { resendsId: former.id }),
    ...(attempt === 2 ? { notBefore: addMinutes(now, SECOND_AFTER_MINUTES) } : {}),
  });
  if (former && (former.outcome === "failed" || former.outcome === "unknown"))
    await handleByPortal(tx, [former.id], attempt === 2 ? "Sendes igen af sig selv" : "Sendt igen", now);
  await updateLetter(
    tx,
    letter.id,
    {
      outbox_id: outboxId,
      attempts: attempt,
      recipient_email: receiver.email,
      is_edi: receiver.wantsEdi ? 1 : 0,
      ...(surgeonEmail === undefined ? {} : { surgeon_email: surgeonEmail }),
    },
    null,
  );
}

/** Where the letters of a referral stand, from either of their two pages. */
export const lettersAt = (referralId: number) => `${paths.referral(referralId)}#udskrivningsbrev`;
