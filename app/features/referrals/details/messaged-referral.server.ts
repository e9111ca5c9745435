import type { Actor } from "~/access/actor";
import type { ChangeContext } from "~/access/operation.server";
import { queueStatusMails } from "~/features/referrals/status/status-mail.server";
import { findMessageReferral, moveStatus } from "~/features/referrals/store/messaged-referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import type { Portal } from "~/portal.server";

/** A referral as those features know it that write to its patient. */
export {
  findReferral,
  findReferrals,
  lockReferral,
  type ReferralRow,
} from "~/features/referrals/store/referral-store.server";
export { bookTime, lockSentReferral, markAnswer } from "~/features/referrals/store/operation-answer-store.server";
export { findTreatment } from "~/features/referrals/store/treatment-type-store.server";
export { insertVisitLogEntry, isLoggedSince } from "~/features/referrals/store/visit-log-store.server";
export { findMessageReferral };

const SYSTEM = { kind: "system", job: "outbox" } as const;

/**
 * Moves a referral on after something has been sent, if its status still is what it was, with a line in its log and a mail to a referrer who
 * wants one. It raises the status version, so that whoever sets a status on an older page meets a conflict. `since`: only if it has had its status since just that moment.
 * Answers whether it moved.
 */
export async function moveOn(
  context: Pick<ChangeContext, "tx" | "outbox" | "now"> & { portal: Pick<Portal, "config"> },
  referralId: number,
  {
    event = null,
    actor = SYSTEM,
    ...step
  }: { from: number; to: number; since?: string; event?: string | null; actor?: Actor },
): Promise<boolean> {
  const { tx, now } = context;
  if (!(await moveStatus(tx, referralId, step, now))) return false;
  const referral = await findMessageReferral(tx, referralId);
  if (referral === undefined) return false;
  await insertVisitLog(tx, actor, [{ referralId: referral.id, status: step.to, event }], now);
  if (referral.send_notification_to_dentist === 1)
    await queueStatusMails(context, [{ referralId, referrerId: referral.referrer_id, status: step.to }]);
  return true;
}
