import { URGENT, UPLOADED_NOW } from "~/features/referrals/model/referral";
import { findAwaitedSending, refreshAwaitedFiles } from "~/features/referrals/store/awaited-sending-store.server";
import { lockRadiographs } from "~/features/referrals/store/radiograph-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { countArriving } from "~/files/staging/awaited-upload-store.server";
import { sendDraft, type SendingContext } from "./send-draft.server";
import { decideSending } from "./sending-rules";
import { withdrawSending } from "./operations.server";

/**
 * Sends a waiting draft if no file is missing. Called in the transaction in which a file arrived, was refused or
 * removed, and by the job. Concurrent calls wait for each other, so that one sees the last file. Returns whether it was
 * sent.
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
 * After a file was removed: a waiting draft may be complete. If nothing is left to send, the submission is withdrawn;
 * returns whether it was.
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
