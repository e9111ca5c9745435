import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { findSender } from "~/features/edi/place/find-sender.server";
import { findReferralMessage } from "../store/edi-store.server";

const TO_SPECIALISTS = ["XREF06", "REF06"];

/** The letter that created a referral, if it came by EDI from this referrer; otherwise null. */
export async function findAnsweredLetter(
  db: DbOrTx,
  secrets: Secrets,
  { referralId, referrer }: { referralId: number; referrer: { id: number; ediId: string | null } },
) {
  const message = await findReferralMessage(db, secrets, referralId);
  if (message?.letterId == null) return null;
  const letter = message.content?.letter ?? null;
  const isTheirs =
    letter?.kind === "referral"
      ? (await findSender(db, letter))?.id === referrer.id
      : message.senderEan !== null && message.senderEan === referrer.ediId;
  if (!isTheirs) return null;
  return {
    letterId: message.letterId,
    isToSpecialist: TO_SPECIALISTS.includes(message.type ?? ""),
    sender: letter?.kind === "referral" ? letter.sender : null,
  };
}
