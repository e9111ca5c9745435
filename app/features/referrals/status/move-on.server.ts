import type { Actor } from "~/access/actor";
import type { ChangeContext } from "~/access/operation.server";
import { isAlwaysTold } from "../model/closing";
import { queueStatusMails } from "./status-mails.server";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { moveStatus } from "~/features/referrals/store/status-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import type { Portal } from "~/portal.server";

const SYSTEM = { kind: "system", job: "outbox" } as const;

/**
 * Moves a referral on after a message was sent, if its status is unchanged; logs it and mails referrers who want that.
 * Raises the status version, so that older pages get a conflict. `since`: only if the status dates from that moment.
 * Returns whether it moved.
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
  await logEvent({ tx, actor, now }, { id: referral.id, status: step.to }, event);
  if (referral.sendNotificationToDentist || isAlwaysTold(step.to, null))
    await queueStatusMails(context, [{ referralId, referrerId: referral.referrerId, status: step.to }]);
  return true;
}
