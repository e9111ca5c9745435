import { z } from "zod";
import type { PatientToken } from "~/access/actor";
import { change, type ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { acceptOffer, declineOffer } from "~/features/freed-times/answer-offer.server";
import { insertToldTime } from "~/features/referrals/store/told-time-store.server";
import { logWithoutStatus } from "~/features/referrals/store/visit-log-store.server";
import { lockSentReferral, markAnswer } from "~/features/referrals/store/treatment-store.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import { endOfMoment } from "~/features/referrals/model/operation-start.server";
import { CLOSED, DECLINED, TU } from "~/features/referrals/model/statuses";
import { text } from "~/text/fields.server";
import { type AnswerSource, countAnswers, insertAnswer } from "./answer-store.server";
import { cancelByPatient, revertCancellation } from "./cancel-by-patient.server";
import { patientPaths } from "~/text/link-token";

/** `offered` and `taken`: the patient had cancelled, and the time was offered to or taken by another. */
type Confirmed = "confirmed" | "alreadyConfirmed" | "noTime" | "past" | "offered" | "taken";

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
  const { tx, outbox, portal, now, auditChange } = context;
  const row = await lockSentReferral(tx, referralId);
  const moment = row === undefined ? null : operationMoment(row);
  if (row === undefined || moment === null || (expected && expected !== moment)) return "noTime";
  if (now >= endOfMoment(moment)) return "past";
  if ([CLOSED, DECLINED, TU].includes(row.status)) return "noTime";
  if (row.confirmedAt !== null) return "alreadyConfirmed";
  if (row.cancellationDate !== null) {
    const event = "Patienten har fortrudt sit afbud";
    const { outcome: reclaimed } = await revertCancellation(context, row, { event, mayBeRemoved: false });
    if (reclaimed === "offered" || reclaimed === "taken") return reclaimed;
  }
  await markAnswer(tx, row.id, "confirmed", now);
  await insertToldTime(tx, { referralId, moment, how: "answer" }, now);
  await insertAnswer(tx, portal.secrets, { referralId, operationMoment: moment, answer: "confirmed", source }, now);
  await logWithoutStatus(context, row.id, "Patienten har bekræftet tiden");
  await outbox.withdraw("appointmentReminder", [row.id]);
  auditChange([row.id], `confirmed by the patient (${source})`);
  invalidateCounts(context);
  return "confirmed";
}

const WORD_LENGTH = 500;

const answered = z.object({ token: z.string().max(100) });

function timeOf({ actor }: ChangeContext) {
  const { referralId, operationMoment: moment } = actor as PatientToken;
  if (moment === null) throw new Refusal("linkExpired");
  return { referralId, operationMoment: moment };
}

const MAX_ANSWERS = 10;

/** The time that a link answers about. Throws `conflict` after ten answers, since each is logged and sends messages. */
async function answerableTime(context: ChangeContext) {
  const time = timeOf(context);
  if ((await countAnswers(context.tx, time.referralId, time.operationMoment)) >= MAX_ANSWERS)
    throw new Refusal("conflict", {
      text: "Dit svar om tiden er ændret mange gange. Ring til klinikken, hvis du vil ændre det igen.",
    });
  return time;
}

const backTo = (token: string) => ({ to: patientPaths.appointmentAnswer(encodeURIComponent(token)) });

/** 'Jeg kommer'. The page then shows the state, also when somebody else was offered the time. */
export const confirmAppointment = change({
  name: "confirmAppointment",
  permission: "patient.appointmentAnswer",
  input: answered,
  async run(context, { token }) {
    await confirmByPatient(context, { ...(await answerableTime(context)), source: "link" });
    return backTo(token);
  },
});

/** 'Meld afbud', after its question, with an optional message to the clinic. */
export const cancelAppointment = change({
  name: "cancelAppointment",
  permission: "patient.appointmentAnswer",
  input: answered.extend({ word: text(WORD_LENGTH).optional() }),
  async run(context, { token, word }) {
    await cancelByPatient(context, { ...(await answerableTime(context)), source: "link", word });
    return backTo(token);
  },
});

/** The page then says whether the patient got the time; repeating it has no effect. */
export const acceptOfferedTime = change({
  name: "acceptOfferedTime",
  permission: "patient.appointmentAnswer",
  input: answered,
  async run(context, { token }) {
    await acceptOffer(context, timeOf(context));
    return backTo(token);
  },
});

/** Repeating it, or declining an offer that has ended, has no effect. */
export const declineOfferedTime = change({
  name: "declineOfferedTime",
  permission: "patient.appointmentAnswer",
  input: answered,
  async run(context, { token }) {
    await declineOffer(context, timeOf(context));
    return backTo(token);
  },
});
