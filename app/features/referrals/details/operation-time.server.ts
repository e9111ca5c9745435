import type { ChangeContext } from "~/access/operation.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { clearAnswerIfMoved } from "~/features/referrals/store/operation-answer-store.server";
import { insertVisitLogEntry } from "~/features/referrals/store/visit-log-store.server";

export const TIME_CHANGED = "Tiden er ændret";
export const TIME_CANCELLED = "Tiden er aflyst";

type Context = Pick<ChangeContext, "tx" | "outbox" | "actor" | "now">;

/**
 * Must be called before an operation time is written. A new time voids the patient's answer and links, withdraws
 * messages stating the old time, and gets its own reminders. Returns how many withdrawn messages no job will send
 * again.
 */
export async function followTime(
  context: Context,
  referralId: ScopedReferralId,
  time: { operation_date?: string | null; operation_hour?: number | null; operation_minute?: number | null },
): Promise<number> {
  const { operation_date: day = null, operation_hour: hour = null, operation_minute: minute = null } = time;
  const isMoved = await clearAnswerIfMoved(context.tx, referralId, { day, hour, minute });
  return isMoved ? withdrawTimes(context, referralId, TIME_CHANGED) : 0;
}

/** Withdraws messages stating an outdated time; returns how many no job will send again. */
export async function withdrawTimes(
  { tx, outbox, actor, now }: Context,
  referralId: ScopedReferralId,
  reason: string,
): Promise<number> {
  const kinds = await outbox.withdrawTimes(referralId, reason);
  const count = kinds.filter((kind) => kind !== "appointmentReminder").length;
  if (count > 0) {
    const event = `${count === 1 ? "Ventende besked" : `${count} ventende beskeder`} om tiden annulleret (${reason})`;
    await insertVisitLogEntry(tx, actor, { referralId, status: null, event }, now);
  }
  return count;
}
