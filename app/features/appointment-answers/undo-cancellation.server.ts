import { z } from "zod";
import type { Actor } from "~/access/actor";
import { type ChangeContext, change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { clearDetectedCancellations } from "~/features/delivery/refresh-sms-summary.server";
import { safeReturn } from "~/features/accounts/return-path";
import { type Reclaimed, reclaimTime } from "~/features/freed-times/free-time.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import {
  lockReferral,
  insertVisitLogEntry,
  markAnswer,
  moveOn,
  type ReferralRow,
} from "~/features/referrals/details/messaged-referral.server";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import { CANCELLED_BY_SMS } from "~/features/referrals/model/status";
import { lockCancellation, markUndone } from "./answer-store.server";
import { tellOfUndone } from "./tell-of-undone.server";

const refusals: Readonly<Record<Exclude<Reclaimed, "reclaimed">, string>> = {
  offered: "Tiden er tilbudt en anden patient. Tag tilbuddet tilbage først.",
  taken: "En anden patient har fået tiden. Giv patienten en ny tid.",
};

/**
 * 'Fortryd afbud': the time is the patient's again, and the status is what it was, if nobody has changed it since. Throws `conflict` where
 * the time has been offered to another or given away, or there is nothing to undo, and `notInScope`.
 */
export const undoCancellation = change({
  name: "undoCancellation",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int(), to: z.string().max(8000).optional() }),
  async run(context, { referralId, to }) {
    const row = await lockReferral(context.tx, context.actor, referralId);
    const { outcome: reclaimed, isPatientTold } = await revertCancellation(context, row, {
      event: "Afbud fortrudt",
      mayBeRemoved: true,
    });
    if (reclaimed === "none") throw new Refusal("conflict", { text: "Der er intet afbud at fortryde." });
    if (reclaimed !== "reclaimed") throw new Refusal("conflict", { text: refusals[reclaimed] });
    context.auditChange([row.id], "cancellation undone");
    const told = isPatientTold ? await tellOfUndone(context, { ...row, cancellation_date: null }) : null;
    const text = `Afbuddet er fortrudt. Nr. ${row.id} har sin tid igen.`;
    return {
      ...(to === undefined ? {} : { to: safeReturn(to) }),
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
  if (moment === null || row.cancellation_date === null) return { outcome: "none", isPatientTold: true };
  const reclaimed = await reclaimTime(tx, { referralId: row.id, operationMoment: moment, mayBeRemoved }, now);
  if (reclaimed !== "reclaimed") return { outcome: reclaimed, isPatientTold: true };
  await markAnswer(tx, row.id, null, now);
  await clearDetectedCancellations(tx, row.id);
  const isReplyWithdrawn = (await outbox.withdraw("reminderReply", [row.id])).length > 0;
  await outbox.withdraw("cancellationNews", [row.id]);
  const cancellation = await lockCancellation(tx, row.id, moment);
  if (cancellation) await markUndone(tx, { id: cancellation.id, referralId: row.id }, idOf(actor), now);
  const before = cancellation?.status_before ?? null;
  const isBack =
    before !== null &&
    (await moveOn(context, row.id, { from: CANCELLED_BY_SMS, to: before, since: cancellation!.at, event, actor }));
  if (!isBack) await insertVisitLogEntry(tx, actor, { referralId: row.id, status: row.status, event }, now);
  invalidateCounts(context);
  return { outcome: "reclaimed", isPatientTold: cancellation?.source === "link" || !isReplyWithdrawn };
}

const idOf = (actor: Actor) => (actor.kind === "person" ? actor.id : null);
