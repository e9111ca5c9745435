import type { ChangeContext } from "~/access/operation.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { clearAnswerIfMoved } from "~/features/referrals/store/operation-answer-store.server";
import { insertVisitLogEntry } from "~/features/referrals/store/visit-log-store.server";

export const TIME_CHANGED = "Tiden er ændret";
export const TIME_CANCELLED = "Tiden er aflyst";

type Context = Pick<ChangeContext, "tx" | "outbox" | "actor" | "now">;

/**
 * Called before an operation time is written, wherever that happens: if it is another one, what the patient answered was about the old
 * time, and messages that wait to tell it are withdrawn. The new time gets reminders of its own; links to the old one become invalid.
 * Answers how many messages that no job sends again were withdrawn.
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

/** Withdraws the messages that wait to tell a time which is no longer the patient's. Answers how many that no job sends again. */
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
