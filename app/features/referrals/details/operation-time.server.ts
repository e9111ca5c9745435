import type { ChangeContext } from "~/access/operation.server";
import { clearAnswerIfMoved } from "~/features/referrals/store/operation-answer-store.server";

/**
 * Called before an operation time is written, wherever that happens: if it is another one, what the patient answered was about the old
 * time, and reminders that wait are taken back. The new time gets reminders of its own; links to the old one become invalid.
 */
export async function followTime(
  { tx, outbox }: Pick<ChangeContext, "tx" | "outbox">,
  referralId: number,
  time: { operation_date?: string | null; operation_hour?: number | null; operation_minute?: number | null },
): Promise<void> {
  const { operation_date: day = null, operation_hour: hour = null, operation_minute: minute = null } = time;
  if (await clearAnswerIfMoved(tx, referralId, { day, hour, minute }))
    await outbox.withdraw("appointmentReminder", [referralId]);
}
