import { z } from "zod";
import type { Undo } from "~/access/caller";
import { type ChangeContext, change, ofReferral, pageAddress, wholeNumber, succeeded } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { Secrets } from "~/access/secrets.server";
import { cancelByPatient } from "~/features/appointment-answers/cancel-by-patient.server";
import { backTo } from "~/features/accounts/return-path";
import { refreshSmsSummary } from "~/features/delivery/store.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { lockReferral } from "~/features/referrals/store/referral-store.server";
import { logWithoutStatus } from "~/features/referrals/store/visit-log-store.server";
import { isAskedAbout } from "./classify-answer.server";
import { sealFilter } from "~/lists/filter.server";
import { paths } from "~/paths";
import { smsList } from "./sms-list.server";
import {
  type AnswerState,
  type IncomingRow,
  lockAnswer,
  readAnswer,
  settleUnread,
  updateAnswer,
} from "./sms-thread-store.server";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { line } from "~/text/fields.server";
import { fullName } from "~/text/names";
import type { Tx } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";

const answerId = wholeNumber.positive();
const OTHER = "other";

/** An answer in one of these states, locked. Throws `conflict` in another state, and `notInScope` if unknown. */
async function holdAnswer(
  { tx, portal }: Pick<ChangeContext, "tx" | "portal">,
  id: number,
  states: readonly AnswerState[],
) {
  const row = await lockAnswer(tx, id);
  if (row === undefined) throw new Refusal("notInScope", { text: "Svaret findes ikke." });
  if (!states.includes(row.state as AnswerState)) throw await alreadySettled(tx, portal.secrets, row);
  return row;
}

/** Says which answer it was and what became of it, since its row may be gone from the page. */
async function alreadySettled(tx: Tx, secrets: Secrets, row: IncomingRow): Promise<Refusal> {
  const referral = await findMessageReferral(tx, row.referralId);
  const from = readAnswer(secrets, row)?.from;
  const whose = referral
    ? ` Det ligger på nr. ${referral.id}, ${fullName(referral)}.`
    : from
      ? ` Det kom fra ${from}.`
      : "";
  const isDismissed = row.state === "dismissed" ? " Det er afvist." : "";
  return new Refusal("conflict", { text: `En anden har allerede taget sig af svaret.${whose}${isDismissed}` });
}

/**
 * Places an unplaced answer on a referral; a possible cancellation is asked about next. Throws `invalid` for an unknown
 * number, `conflict` if somebody was first.
 */
export const placeSms = change({
  name: "placeSms",
  permission: "patientMessage.send",
  idempotent: true,
  input: z.object({
    answerId,
    choice: z.string().max(20).optional(),
    visitNumber: line.max(20).optional(),
  }),
  async run(context, { answerId: id, choice, visitNumber }) {
    const { tx, actor, person, portal, now } = context;
    const number = choice === undefined || choice === OTHER ? visitNumber : choice;
    const referralId = /^\d{1,9}$/.test(number ?? "") ? Number(number) : null;
    if (referralId === null) throw noReferral("Vælg en henvisning, eller skriv dens nummer.");
    const row = await lockReferral(tx, actor, referralId).catch((error: unknown) => {
      throw error instanceof Refusal ? noReferral(`Der er ingen henvisning med nr. ${referralId}.`) : error;
    });
    const answer = await holdAnswer(context, id, ["unplaced"]);
    const mayBeCancelled = isAskedAbout(answer.judgement);
    await updateAnswer(
      tx,
      answer.id,
      { referralId: row.id, state: mayBeCancelled ? "possibly" : "settled" },
      { by: person.id, now },
    );
    await logWithoutStatus(context, row.id, "SMS fra patienten", "sms");
    await refreshThread(context, row.id, "SMS placed");
    const f = sealFilter(smsList, portal.secrets, person, { visitNumber: row.id });
    return {
      to: `${paths.smsThread(row.id)}?${new URLSearchParams({ f }).toString()}#r${row.id}`,
      ...succeeded(
        mayBeCancelled
          ? `Svaret står nu ved nr. ${row.id}. Sig, om det er et afbud.`
          : `Svaret står nu ved nr. ${row.id}.`,
      ),
    };
  },
});

async function refreshThread(context: ChangeContext, referralId: ScopedReferralId, event: string): Promise<void> {
  await refreshSmsSummary(context.tx, referralId);
  invalidateCounts(context);
  context.auditChange([referralId], event);
}

const noReferral = (text: string) => new Refusal("invalid", { text, fields: { visitNumber: [text] } });

/** 'Afvis': dismisses an answer, e.g. advertising. Throws `conflict` if somebody was first. */
export const dismissSms = change({
  name: "dismissSms",
  permission: "patientMessage.send",
  idempotent: true,
  input: z.object({ answerId }),
  async run(context, { answerId: id }) {
    const answer = await holdAnswer(context, id, ["unplaced"]);
    await updateAnswer(context.tx, answer.id, { state: "dismissed" }, { by: context.person.id, now: context.now });
    invalidateCounts(context);
    context.auditChange([], `SMS ${answer.id} dismissed`);
    return succeeded("Svaret er afvist.");
  },
});

/** Answers whether it is a cancellation, 'Ja' or 'Nej'. Throws `conflict` if decided. */
export const decideSms = change({
  name: "decideSms",
  permission: "patientMessage.send",
  idempotent: true,
  input: z.object({ answerId, isCancellation: z.enum(["true", "false"]).transform((value) => value === "true") }),
  async run(context, { answerId: id, isCancellation }) {
    const { tx, actor, person, now } = context;
    const answer = await holdAnswer(context, id, ["possibly"]);
    const row = await lockReferral(tx, actor, answer.referralId ?? 0);
    const cancelled = isCancellation ? await cancelByPatient(context, { referralId: row.id, source: "sms" }) : null;
    await updateAnswer(tx, answer.id, { state: "settled", isCancellation }, { by: person.id, now });
    await refreshThread(context, row.id, `SMS ${isCancellation ? "is" : "is no"} cancellation`);
    const undo: Undo =
      cancelled?.outcome === "cancelled"
        ? { intent: "undoCancellation", fields: { referralId: row.id } }
        : { intent: "undoSmsDecision", fields: { answerId: id } };
    return succeeded(decided(cancelled?.outcome ?? null, row.id), { undo });
  },
});

/** Reverts a decision that cancelled no time: the answer waits again. Throws `conflict` if none was made. */
export const undoSmsDecision = change({
  name: "undoSmsDecision",
  permission: "patientMessage.send",
  input: z.object({ answerId, to: pageAddress }),
  async run(context, { answerId: id, to }) {
    const { tx, actor, person, portal, now } = context;
    const answer = await holdAnswer(context, id, ["settled"]);
    if (!isAskedAbout(answer.judgement)) throw await alreadySettled(tx, portal.secrets, answer);
    const row = await lockReferral(tx, actor, answer.referralId ?? 0);
    await updateAnswer(tx, answer.id, { state: "possibly", isCancellation: false }, { by: person.id, now });
    await refreshThread(context, row.id, "SMS undecided again");
    return {
      ...backTo(to),
      ...succeeded(`Fortrudt. Svaret ved nr. ${row.id} venter igen på Ja eller Nej.`),
    };
  },
});

function decided(outcome: Awaited<ReturnType<typeof cancelByPatient>>["outcome"] | null, id: number): string {
  switch (outcome) {
    case null:
      return `Svaret er ikke et afbud. Nr. ${id} beholder sin tid.`;
    case "cancelled":
      return `Tiden for nr. ${id} er aflyst, og patienten får besked.`;
    case "alreadyCancelled":
      return `Tiden for nr. ${id} var allerede aflyst.`;
    default:
      return `Svaret er noteret som afbud. Nr. ${id} har ingen tid at aflyse.`;
  }
}

/** 'Hører til en anden': returns an answer to the unplaced ones. Throws `conflict` if settled. */
export const unplaceSms = change({
  name: "unplaceSms",
  permission: "patientMessage.send",
  idempotent: true,
  input: z.object({ answerId }),
  async run(context, { answerId: id }) {
    const { tx, actor, person, now } = context;
    const answer = await holdAnswer(context, id, ["possibly", "unread"]);
    const row = await lockReferral(tx, actor, answer.referralId ?? 0);
    await updateAnswer(tx, answer.id, { state: "unplaced", referralId: null }, { by: person.id, now });
    await logWithoutStatus(context, row.id, "SMS hørte til en anden henvisning", "sms");
    await refreshThread(context, row.id, "SMS belongs to another");
    return {
      to: paths.smsUnplaced,
      ...succeeded("Svaret står nu blandt de ikke placerede."),
    };
  },
});

/** Possible cancellations stay unread until they are decided. Throws `notInScope`. */
export const markSmsRead = change({
  name: "markSmsRead",
  permission: "patientMessage.send",
  input: ofReferral,
  async run(context, { referralId }) {
    const { tx, actor, person, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    await settleUnread(tx, row.id, { by: person.id, now });
    invalidateCounts(context);
    auditChange([row.id], "SMS read");
    return succeeded("Svaret er markeret som læst.");
  },
});
