import type { ChangeContext } from "~/access/operation.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { MESSAGE_LIMIT } from "~/text/limits";
import { notifyOtherParty } from "./message-mail.server";
import { insertReceivedMessage, setMarks } from "./message-store.server";

/** Adds the referrer's message from another channel to the thread as unread and unanswered, and notifies the clinic. */
export async function receiveMessage(
  context: ChangeContext,
  { referralId, authorName, text }: { referralId: ScopedReferralId; authorName: string; text: string },
): Promise<void> {
  const { tx, now } = context;
  await insertReceivedMessage(tx, { referralId, authorName, text: text.slice(0, MESSAGE_LIMIT), now });
  await setMarks(tx, referralId, {
    has_unanswered_message: 1,
    surgeon_has_unread_messages: 1,
    referrer_has_unread_messages: 0,
  });
  await notifyOtherParty(context, { referralId, referrerId: null, isFromAdmin: false });
}
