import { differenceInHours } from "date-fns";
import { z } from "zod";
import type { Caller } from "~/access/caller";
import { type ChangeContext, change, execute, plainInput, read } from "~/access/operation.server";
import { cancelByPatient } from "~/features/appointment-answers/cancel-by-patient.server";
import { refreshSmsSummary } from "~/features/delivery/store.server";
import { workOrGiveUp } from "~/features/job-register/operations.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { logWithoutStatus } from "~/features/referrals/store/visit-log-store.server";
import { insertStop } from "~/features/sms-stops/sms-stop-store.server";
import type { Portal } from "~/portal.server";
import { localDate, localTime } from "~/text/dates";
import { placeAnswerAmong } from "./answer-placement";
import { findCandidates, readAnswerRules } from "./operations.server";
import { isAlarming } from "~/features/urgent-alarm/alarm-words.server";
import { raiseAlarm } from "~/features/urgent-alarm/alarm-store.server";
import {
  type AnswerRules,
  isAcknowledgement,
  classifyAnswer,
  outcomeOf,
  withoutKeyword,
} from "./classify-answer.server";
import {
  type AnswerContent,
  type AnswerState,
  findWaitingReplies,
  insertIncomingSms,
  lockWaitingReply,
  markTaken,
} from "./sms-thread-store.server";

const MAX_PER_RUN = 50;

const MAX_AGE_HOURS = 6;

/** Ids of at most 50 replies that no job has placed. */
export const readWaitingAnswers = read({
  name: "sms.readWaitingAnswers",
  permission: "system",
  async run({ db }) {
    return { ids: await findWaitingReplies(db, MAX_PER_RUN) };
  },
});

/**
 * Places a reply in its thread and acts on it if certain: cancellation or STOP. Uncertain ones wait for a person. Each
 * reply is placed once; `isUnjudged` leaves it to a person.
 */
export const placeAnswer = change({
  name: "sms.placeAnswer",
  permission: "system",
  input: z.object({ eventId: z.number().int(), isUnjudged: z.boolean().default(false) }),
  async run(context, { eventId, isUnjudged }) {
    const { tx, portal, now } = context;
    const reply = await lockWaitingReply(tx, portal.secrets, eventId);
    if (reply === undefined) return {};
    await markTaken(tx, eventId, now);
    if (reply.content === null) return {};
    const rules = await readAnswerRules(tx);
    const content = { from: reply.content.from, text: withoutKeyword(reply.content.text, rules.keyword) };
    const judgement = classifyAnswer(content.text, rules);
    const settled = isUnjudged
      ? { referralId: null, state: "unplaced" as const, isCancellation: false }
      : await settle(context, content, rules, reply.receivedAt);
    await insertIncomingSms(tx, portal.secrets, {
      eventId,
      receivedAt: reply.receivedAt,
      content,
      judgement,
      isAlarming: isAlarming(content.text),
      ...settled,
    });
    if (isAlarming(content.text))
      await raiseAlarm(
        tx,
        settled.referralId === null ? { cause: "unplaced" } : { cause: "answer", referralId: settled.referralId },
        now,
      );
    if (settled.referralId !== null) await refreshSmsSummary(tx, settled.referralId);
    invalidateCounts(context);
    return {};
  },
});

interface Settled {
  referralId: number | null;
  state: AnswerState;
  isCancellation: boolean;
}

async function settle(
  context: ChangeContext,
  content: AnswerContent,
  rules: AnswerRules,
  receivedAt: string,
): Promise<Settled> {
  const { tx, portal, now, auditChange } = context;
  const here = `${localDate(now)} ${localTime(now)}`;
  const placement = placeAnswerAmong(await findCandidates(tx, portal.secrets, content.from, now), here);
  const isFresh = differenceInHours(now, new Date(receivedAt)) < MAX_AGE_HOURS;
  const situation = isFresh ? placement : { ...placement, isAlone: false };
  const outcome = outcomeOf(classifyAnswer(content.text, rules), situation);
  const { referralId } = placement;
  if (outcome === "stop") await insertStop(tx, portal.secrets, content.from, now);
  const row = await findMessageReferral(tx, referralId);
  if (row === undefined)
    return { referralId: null, state: outcome === "stop" ? "settled" : "unplaced", isCancellation: false };
  const event = outcome === "stop" ? "SMS fra patienten: STOP for påmindelser" : "SMS fra patienten";
  await logWithoutStatus(context, row.id, event, "sms");
  auditChange([row.id], `SMS from the patient: ${outcome}`);
  if (outcome === "stop") {
    await context.outbox.withdraw("appointmentReminder", [row.id]);
    return { referralId: row.id, state: "settled", isCancellation: false };
  }
  if (outcome === "cancelled") {
    const cancelled = await cancelByPatient(context, { referralId: row.id, source: "sms" });
    const isDone = cancelled.outcome === "cancelled" || cancelled.outcome === "alreadyCancelled";
    return { referralId: row.id, state: isDone ? "settled" : "possibly", isCancellation: isDone };
  }
  const state = outcome === "possibly" ? "possibly" : isAcknowledgement(content.text, rules) ? "settled" : "unread";
  return { referralId: row.id, state, isCancellation: false };
}

/** Job step: places each reply separately; one that fails is left to a person and does not stop the others. */
export async function placeAnswers(portal: Portal, caller: Caller): Promise<void> {
  const { ids } = await execute(portal, caller, readWaitingAnswers);
  for (const eventId of ids) {
    const place = (more = {}) => execute(portal, caller, placeAnswer, plainInput({ eventId, ...more }));
    await workOrGiveUp(portal.log, { what: "placing an SMS from a patient" }, place, () => place({ isUnjudged: true }));
  }
}
