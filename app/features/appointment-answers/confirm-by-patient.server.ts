import type { ChangeContext } from "~/access/operation.server";
import {
  lockSentReferral,
  insertVisitLogEntry,
  markAnswer,
} from "~/features/referrals/details/messaged-referral.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import { CLOSED, DECLINED, TU } from "~/features/referrals/model/status";
import { type AnswerSource, insertAnswer } from "./answer-store.server";
import { endOfMoment } from "~/features/referrals/model/operation-start.server";
import { revertCancellation } from "./undo-cancellation.server";

/** `offered` and `taken`: the patient had cancelled, and the time was offered to or taken by another. */
export type Confirmed = "confirmed" | "alreadyConfirmed" | "noTime" | "past" | "offered" | "taken";

/**
 * 'Jeg kommer': ends reminders of this time and reverts a cancellation unless the time was offered to another.
 * Repeating it has no effect. `operationMoment` restricts it to that time.
 */
export async function confirmByPatient(
  context: ChangeContext,
  {
    referralId,
    source,
    operationMoment: expected,
  }: { referralId: number; source: AnswerSource; operationMoment?: string | null },
): Promise<Confirmed> {
  const { tx, outbox, portal, actor, now, auditChange } = context;
  const row = await lockSentReferral(tx, referralId);
  const moment = row === undefined ? null : operationMoment(row);
  if (row === undefined || moment === null || (expected && expected !== moment)) return "noTime";
  if (now >= endOfMoment(moment)) return "past";
  if ([CLOSED, DECLINED, TU].includes(row.status)) return "noTime";
  if (row.confirmed_at !== null) return "alreadyConfirmed";
  if (row.cancellation_date !== null) {
    const event = "Patienten har fortrudt sit afbud";
    const { outcome: reclaimed } = await revertCancellation(context, row, { event, mayBeRemoved: false });
    if (reclaimed === "offered" || reclaimed === "taken") return reclaimed;
  }
  await markAnswer(tx, row.id, "confirmed", now);
  await insertAnswer(tx, portal.secrets, { referralId, operationMoment: moment, answer: "confirmed", source }, now);
  await insertVisitLogEntry(
    tx,
    actor,
    { referralId: row.id, status: null, event: "Patienten har bekræftet tiden" },
    now,
  );
  await outbox.withdraw("appointmentReminder", [row.id]);
  auditChange([row.id], `confirmed by the patient (${source})`);
  invalidateCounts(context);
  return "confirmed";
}
