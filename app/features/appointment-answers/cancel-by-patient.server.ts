import { change, type ChangeContext, wholeNumber, pageAddress } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import { type Reclaimed, reclaimTime } from "~/features/freed-times/answer-offer.server";
import { findStaffMail } from "~/features/messages/message-mail.server";
import {
  caseObstacle,
  obstacleTo,
  queuePatientMessage,
  timeObstacle,
} from "~/features/patient-messages/queue-message.server";
import { moveOn } from "~/features/referrals/status/move-on.server";
import { deleteCancelled, insertToldTime } from "~/features/referrals/store/told-time-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { lockSentReferral, markAnswer } from "~/features/referrals/store/treatment-store.server";
import { TIME_CANCELLED, withdrawTimes } from "~/features/referrals/details/treatment-plan-lines.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { operationMoment, showMoment } from "~/features/referrals/model/operation-moment";
import { endOfMoment, hasBegun } from "~/features/referrals/model/operation-start.server";
import { CANCELLED_BY_SMS, CLOSED, DECLINED, TU } from "~/features/referrals/model/statuses";
import { paths } from "~/paths";
import { type AnswerSource, insertAnswer, lockCancellation, markUndone } from "./answer-store.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { raiseAlarm } from "~/features/urgent-alarm/alarm-store.server";
import { isAlarming } from "~/features/urgent-alarm/alarm-words.server";
import type { KindHooks } from "~/features/delivery/port";
import { patientHooks, lockReferralOf } from "~/features/patient-messages/patient-hooks.server";
import { z } from "zod";
import type { Actor } from "~/access/actor";
import { clearDetectedCancellations } from "~/features/delivery/store.server";
import { backTo } from "~/features/accounts/return-path";
import { insertFreedTime } from "~/features/freed-times/store.server";

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
    },
  });
  await outbox.email({ kind: "cancellationNews", to, referralId, ...mail });
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
  }: { referralId: number; source: AnswerSource; word?: string; operationMoment?: string | null },
): Promise<Cancelled> {
  const { tx, portal, now, auditChange } = context;
  const row = await lockSentReferral(tx, referralId);
  const moment = row === undefined ? null : operationMoment(row);
  if (row === undefined || moment === null || (expected && expected !== moment)) return { outcome: "noTime" };
  if (now >= endOfMoment(moment)) return { outcome: "past" };
  if (row.cancellationDate !== null) return { outcome: "alreadyCancelled" };

  await markAnswer(tx, row.id, "cancelled", now);
  await insertToldTime(tx, { referralId, moment: null, how: "cancelled" }, now);
  const moves = !STAYS.includes(row.status);
  const event = `Patienten har meldt afbud ${ways[source]} til ${showMoment(moment)}`;
  await insertAnswer(
    tx,
    portal.secrets,
    { referralId, operationMoment: moment, answer: "cancelled", source, word, statusBefore: moves ? row.status : null },
    now,
  );
  if (moves) await moveOn(context, row.id, { from: row.status, to: CANCELLED_BY_SMS, event });
  else await logEvent(context, row, event);
  if (!hasBegun(moment, now) && !row.isTest)
    await insertFreedTime(
      tx,
      {
        referralId: row.id,
        operationMoment: moment,
        durationMinutes: row.operationDuration,
        treatmentTypeId: row.treatmentTypeId,
        surgeonId: row.surgeonId,
      },
      now,
    );
  await withdrawTimes(context, row.id, TIME_CANCELLED);
  await isQueued(context, row, { kind: "reminderReply", channel: "sms" });
  await notifyStaffOfCancellation(context, row.id, moment);
  if (word !== undefined && isAlarming(word)) await raiseAlarm(tx, { referralId, cause: "answer" }, now);
  auditChange([row.id], `cancelled by the patient (${source})`);
  invalidateCounts(context);
  return { outcome: "cancelled", operationMoment: moment };
}

type Context = Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor" | "now">;

const KIND = "cancellationUndone";

/** SMS first, as the cancellation was confirmed by SMS; mail when the number is gone. */
const WAYS = ["sms", "email"] as const;

/**
 * Tells the patient that their cancelled appointment is booked again. Returns the notice for staff: which channel was
 * used, or that they must call. Null for a past appointment or a closed case.
 */
async function tellOfUndone(context: Context, row: ReferralRow): Promise<{ text: string; mustCall: boolean } | null> {
  const { now } = context;
  if (caseObstacle(KIND, row) !== null || timeObstacle(row, now) !== null) return null;
  for (const channel of WAYS)
    if (await isQueued(context, row, { kind: KIND, channel }))
      return { text: `Patienten får besked ${channel === "sms" ? "pr. SMS" : "i en e-mail"}.`, mustCall: false };
  return { text: "Ring til patienten: der kan hverken sendes SMS eller e-mail om det.", mustCall: true };
}

/** Queues a message that may be missing. False if it cannot be sent. */
async function isQueued(
  context: Context,
  referral: ReferralRow,
  message: { kind: "reminderReply" | typeof KIND; channel: ChannelName },
): Promise<boolean> {
  if (obstacleTo(context.portal, message, referral) !== null) return false;
  try {
    await queuePatientMessage(context, { ...message, referral });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

export const cancellationUndoneHooks: KindHooks = {
  ...patientHooks,
  async resend(context, message, channel) {
    const referral = await lockReferralOf(context, message);
    await queuePatientMessage(context, { kind: KIND, channel, referral, resendsId: message.id });
  },
};

const refusals: Readonly<Record<Exclude<Reclaimed, "reclaimed"> | "none", string>> = {
  none: "Der er intet afbud at fortryde.",
  offered: "Tiden er tilbudt en anden patient. Tag tilbuddet tilbage først.",
  taken: "En anden patient har fået tiden. Giv patienten en ny tid.",
};

/**
 * 'Fortryd afbud': returns the time to the patient, and restores the former status if nobody has changed it since.
 * Throws `conflict` where the time has been offered to another or given away, or there is nothing to undo, and
 * `notInScope`.
 */
export const undoCancellation = change({
  name: "undoCancellation",
  permission: "patientMessage.send",
  input: z.object({ referralId: wholeNumber, to: pageAddress }),
  async run(context, { referralId, to }) {
    const row = await lockReferral(context.tx, context.actor, referralId);
    const { outcome: reclaimed, isPatientTold } = await revertCancellation(context, row, {
      event: "Afbud fortrudt",
      mayBeRemoved: true,
    });
    if (reclaimed !== "reclaimed") throw new Refusal("conflict", { text: refusals[reclaimed] });
    context.auditChange([row.id], "cancellation undone");
    const told = isPatientTold ? await tellOfUndone(context, { ...row, cancellationDate: null }) : null;
    const text = `Afbuddet er fortrudt. Nr. ${row.id} har sin tid igen.`;
    return {
      ...backTo(to),
      flash: {
        tone: told?.mustCall ? ("error" as const) : ("success" as const),
        text: told === null ? text : `${text} ${told.text}`,
      },
    };
  },
});

/**
 * Reverts the cancellation of an appointment whose row this transaction has locked. `isPatientTold`: the patient
 * cancelled by link, or the confirming SMS has begun to leave.
 */
export async function revertCancellation(
  context: Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor" | "now" | "afterCommit">,
  row: ReferralRow,
  { event, mayBeRemoved }: { event: string; mayBeRemoved: boolean },
): Promise<{ outcome: Reclaimed | "none"; isPatientTold: boolean }> {
  const { tx, outbox, actor, now } = context;
  const moment = operationMoment(row);
  if (moment === null || row.cancellationDate === null) return { outcome: "none", isPatientTold: true };
  const reclaimed = await reclaimTime(tx, { referralId: row.id, operationMoment: moment, mayBeRemoved }, now);
  if (reclaimed !== "reclaimed") return { outcome: reclaimed, isPatientTold: true };
  const cancellation = await lockCancellation(tx, row.id, moment);
  await markAnswer(tx, row.id, null, now);
  await clearDetectedCancellations(tx, row.id);
  const isReplyWithdrawn = (await outbox.withdraw("reminderReply", [row.id])).length > 0;
  const isPatientTold = cancellation?.source === "link" || !isReplyWithdrawn;
  if (!isPatientTold) await deleteCancelled(tx, row.id);
  await outbox.withdraw("cancellationNews", [row.id]);
  if (cancellation) await markUndone(tx, { id: cancellation.id, referralId: row.id }, idOf(actor), now);
  const before = cancellation?.statusBefore ?? null;
  const isBack =
    before !== null &&
    (await moveOn(context, row.id, { from: CANCELLED_BY_SMS, to: before, since: cancellation!.at, event, actor }));
  if (!isBack) await logEvent(context, row, event);
  invalidateCounts(context);
  return { outcome: "reclaimed", isPatientTold };
}

const idOf = (actor: Actor) => (actor.kind === "person" ? actor.id : null);
