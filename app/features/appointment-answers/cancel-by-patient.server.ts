import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import { freeTime } from "~/features/freed-times/free-time.server";
import { findStaffMail } from "~/features/messages/message-mail.server";
import { obstacleTo, queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import {
  insertVisitLogEntry,
  lockSentReferral,
  markAnswer,
  moveOn,
  type ReferralRow,
} from "~/features/referrals/details/messaged-referral.server";
import { TIME_CANCELLED, withdrawTimes } from "~/features/referrals/details/operation-time.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { operationMoment, showMoment } from "~/features/referrals/model/operation-moment";
import { endOfMoment, hasBegun } from "~/features/referrals/model/operation-start.server";
import { CANCELLED_BY_SMS, CLOSED, DECLINED, TU } from "~/features/referrals/model/status";
import { paths } from "~/paths";
import { type AnswerSource, insertAnswer } from "./answer-store.server";

/**
 * Mails the clinic's address for messages, if set, about a free time: the referral's number and a link, no patient
 * data.
 */
async function notifyStaffOfCancellation(
  { tx, outbox, portal: { config } }: Pick<ChangeContext, "tx" | "outbox" | "portal">,
  referralId: number,
  moment: string,
): Promise<void> {
  const to = await findStaffMail(tx);
  if (to === null) return;
  const mail = await composeMail(tx, "cancellationNews", {
    config,
    values: {
      henvisningsnr: String(referralId),
      tid: showMoment(moment),
      sagslink: `${config.adminOrigin}${paths.referral(referralId)}`,
      portal: config.productName,
    },
  });
  await outbox.email({ kind: "cancellationNews", to, referralId, ...mail });
}

/** Confirms a cancellation to the patient. Skipped silently when no SMS can be sent. */
async function queueReply(context: ChangeContext, row: ReferralRow): Promise<void> {
  if (obstacleTo(context.portal, { kind: "reminderReply", channel: "sms" }, row) !== null) return;
  try {
    await queuePatientMessage(context, { kind: "reminderReply", channel: "sms", referral: row });
  } catch (error) {
    // The clinic's text has a placeholder without a value.
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Statuses that a cancellation leaves unchanged: closed, declined, or cancelled already. */
const STAYS = [CLOSED, DECLINED, TU, CANCELLED_BY_SMS];

type Cancelled =
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
