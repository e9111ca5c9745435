import { URGENT, UPLOADED_NOW } from "~/features/referrals/model/referral";
import { findAwaitedSending, refreshAwaitedFiles } from "~/features/referrals/store/awaited-sending-store.server";
import { lockRadiographs } from "~/features/referrals/store/radiograph-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { countArriving } from "~/files/staging/awaited-upload-store.server";
import { sendDraft, type SendingContext } from "./send-draft.server";
import { decideSending } from "./sending-rules";
import { withdrawSending } from "./take-back-sending.server";

/**
 * Sends a draft that waits for its files, if it waits for nothing more: asked in the transaction in which the last of them has become an image,
 * was refused or was taken off, and by the job. Two at once wait for each other, so that one of them sees the last file. Answers whether it was sent.
 */
export async function sendIfComplete(context: SendingContext, referral: ReferralRow): Promise<boolean> {
  const { tx, now } = context;
  if (referral.sent_at !== null) return false;
  await lockRadiographs(tx, referral.id);
  const awaited = await findAwaitedSending(tx, referral.id);
  if (awaited === null) return false;
  const decision = decideSending({
    isUrgent: referral.reference_type === URGENT,
    isDue: now >= awaited.dueAt,
    ...(await countThere(context, referral)),
  });
  if (decision === "wait") return false;
  return sendDraft(context, referral, { radiographsSendType: UPLOADED_NOW, personId: awaited.requestedBy });
}

/**
 * After a person has taken a file off, here or on its way. A draft that waits may be complete by that; where nothing is left to send it with, the
 * sending is taken back. Answers whether it was.
 */
export async function settleRemoval(context: SendingContext, referral: ReferralRow): Promise<boolean> {
  if (referral.sent_at !== null) {
    await refreshAwaitedFiles(context.tx, referral.id);
    return false;
  }
  await lockRadiographs(context.tx, referral.id);
  const { unfinished, images } = await countThere(context, referral);
  if (unfinished + images === 0) return withdrawSending(context, referral.id);
  await sendIfComplete(context, referral);
  return false;
}

const countThere = async ({ tx }: SendingContext, { id }: ReferralRow) => ({
  unfinished: await countArriving(tx, id),
  images: (await findFiles(tx, id)).filter(({ kind }) => kind === "radiograph").length,
});
