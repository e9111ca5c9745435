import type { ChangeContext } from "~/access/operation.server";
import { freeTime } from "~/features/freed-times/free-time.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import {
  lockSentReferral,
  insertVisitLogEntry,
  markAnswer,
  moveOn,
} from "~/features/referrals/details/messaged-referral.server";
import { TIME_CANCELLED, withdrawTimes } from "~/features/referrals/details/operation-time.server";
import { operationMoment, showMoment } from "~/features/referrals/model/operation-moment";
import { CANCELLED_BY_SMS, CLOSED, DECLINED, TU } from "~/features/referrals/model/status";
import { type AnswerSource, insertAnswer } from "./answer-store.server";
import { endOfMoment, hasBegun } from "~/features/referrals/model/operation-start.server";
import { notifyStaffOfCancellation } from "./cancellation-mail.server";
import { queueReply } from "./reply.server";

/** Statuses that a cancellation leaves unchanged: closed, declined, or cancelled already. */
const STAYS = [CLOSED, DECLINED, TU, CANCELLED_BY_SMS];

export type Cancelled =
  { outcome: "cancelled"; operationMoment: string } | { outcome: "alreadyCancelled" | "noTime" | "past" };

const ways: Readonly<Record<AnswerSource, string>> = { link: "via link", sms: "pr. SMS" };

/**
 * Cancels a patient's time, by link or SMS. Sets the date of cancellation and status 13 (7, 8 and 10 stay), withdraws
 * reminders, frees a future time, notifies staff and replies once to the patient. Repeating it has no effect.
 * `operationMoment` restricts it to that time.
 */
export async function cancelByPatient(
  context: ChangeContext,
  {
    referralId,
    source,
    word,
    operationMoment: expected,
  }: { referralId: number; source: AnswerSource; word?: string | undefined; operationMoment?: string | null },
): Promise<Cancelled> {
  const { tx, portal, actor, now, auditChange } = context;
  const row = await lockSentReferral(tx, referralId);
  const moment = row === undefined ? null : operationMoment(row);
  if (row === undefined || moment === null || (expected && expected !== moment)) return { outcome: "noTime" };
  if (now >= endOfMoment(moment)) return { outcome: "past" };
  if (row.cancellation_date !== null) return { outcome: "alreadyCancelled" };

  await markAnswer(tx, row.id, "cancelled", now);
  const moves = !STAYS.includes(row.status);
  const event = `Patienten har meldt afbud ${ways[source]} til ${showMoment(moment)}`;
  await insertAnswer(
    tx,
    portal.secrets,
    { referralId, operationMoment: moment, answer: "cancelled", source, word, statusBefore: moves ? row.status : null },
    now,
  );
  if (moves) await moveOn(context, row.id, { from: row.status, to: CANCELLED_BY_SMS, event });
  else await insertVisitLogEntry(tx, actor, { referralId: row.id, status: row.status, event }, now);
  if (!hasBegun(moment, now) && row.is_test === 0)
    await freeTime(
      tx,
      {
        referralId: row.id,
        operationMoment: moment,
        durationMinutes: row.operation_duration,
        treatmentTypeId: row.treatment_type_id,
        surgeonId: row.surgeon_id,
      },
      now,
    );
  await withdrawTimes(context, row.id, TIME_CANCELLED);
  await queueReply(context, row);
  await notifyStaffOfCancellation(context, row.id, moment);
  auditChange([row.id], `cancelled by the patient (${source})`);
  invalidateCounts(context);
  return { outcome: "cancelled", operationMoment: moment };
}
