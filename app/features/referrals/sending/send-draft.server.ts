import type { ChangeContext } from "~/access/operation.server";
import { planExports } from "~/features/referrals/archive/plan-exports.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { AWAITING_TRIAGE } from "~/features/referrals/model/status";
import { notReceivedText } from "~/features/referrals/model/missing-texts";
import { deleteAwaitedSending, refreshAwaitedFiles } from "~/features/referrals/store/awaited-sending-store.server";
import { markSent, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { findRefusedAwaited } from "~/files/staging/awaited-upload-store.server";

export type SendingContext = Pick<ChangeContext, "tx" | "actor" | "now" | "outbox" | "portal" | "afterCommit">;

/**
 * Turns a draft into a referral, once. The only function that does. Refused files are logged. False if it was sent
 * before.
 */
export async function sendDraft(
  context: SendingContext,
  referral: ReferralRow,
  { radiographsSendType, personId }: { radiographsSendType: number; personId: number },
): Promise<boolean> {
  const { tx, actor, now } = context;
  const isFirst = await markSent(tx, referral.id, { radiographsSendType, personId, now });
  await deleteAwaitedSending(tx, referral.id);
  if (isFirst) {
    await refreshAwaitedFiles(tx, referral.id);
    const events = ["Henvisningen er modtaget", ...(await findRefusedAwaited(tx, [referral.id])).map(notReceivedText)];
    await insertVisitLog(
      tx,
      actor,
      events.map((event) => ({ referralId: referral.id, status: AWAITING_TRIAGE, event })),
      now,
    );
  }
  await planExports(context, referral, { which: "new" });
  invalidateCounts(context);
  return isFirst;
}
