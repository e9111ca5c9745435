import type { DbOrTx, Tx } from "~db/connection.server";
import type { ChangeContext } from "~/access/operation.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { moveOn } from "~/features/referrals/status/move-on.server";
import { bookTime, lockSentReferral } from "~/features/referrals/store/treatment-store.server";
import { insertToldTime } from "~/features/referrals/store/told-time-store.server";
import { logWithoutStatus } from "~/features/referrals/store/visit-log-store.server";
import { TIME_CHANGED, withdrawTimes } from "~/features/referrals/details/treatment-plan-lines.server";
import { partsOfMoment, showMoment } from "~/features/referrals/model/operation-moment";
import { IN_TREATMENT, WAITING_FOR_TIME } from "~/features/referrals/model/statuses";
import {
  closeFreedTime,
  findFreedTimeOf,
  findOffer,
  findOpenOffers,
  hasOpenOffer,
  isBookedByAnother,
  lockFreedTimeOf,
  lockOffer,
  type OfferOutcome,
  settleOffer,
} from "./store.server";

interface TimeOf {
  referralId: number;
  operationMoment: string;
}

/**
 * The offer of a time to a referral; null without one. An open offer past its deadline is `expired`. `operationMoment`
 * is in Copenhagen, `expiresAt` in UTC.
 */
export async function readOffer(db: DbOrTx, { referralId, operationMoment }: TimeOf, now: Date) {
  const offer = await findOffer(db, referralId, operationMoment);
  if (offer === undefined) return null;
  const isOver = new Date(offer.expiresAt) <= now || offer.closedAt !== null;
  const outcome = offer.outcome === "open" && isOver ? "expired" : (offer.outcome as OfferOutcome);
  return { outcome, durationMinutes: offer.durationMinutes, expiresAt: offer.expiresAt };
}

type Answering = Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor" | "now" | "auditChange" | "afterCommit">;

/**
 * Accepts an offered time in one guarded step, so that it goes to one patient however many press at once. False if it
 * is no longer available.
 */
export async function acceptOffer(context: Answering, { referralId, operationMoment }: TimeOf): Promise<boolean> {
  const { tx, now, auditChange } = context;
  const row = await lockSentReferral(tx, referralId);
  const offer = row && (await lockOffer(tx, referralId, operationMoment));
  if (row === undefined || offer === undefined || offer.closedAt !== null) return false;
  if (!WAITING_FOR_TIME.includes(row.status) || (await isBookedByAnother(tx, offer, referralId))) {
    await settleOffer(tx, offer.id, "withdrawn", now);
    return false;
  }
  if (!(await settleOffer(tx, offer.id, "accepted", now, { whileOpenAt: now }))) return false;
  await closeFreedTime(tx, offer.freedTimeId, "taken", referralId, now);
  const { durationMinutes, surgeonId } = offer;
  await bookTime(tx, row.id, { ...partsOfMoment(operationMoment), durationMinutes, surgeonId }, now);
  await insertToldTime(tx, { referralId, moment: operationMoment, how: "answer" }, now);
  const event = `Patienten har taget den tilbudte tid ${showMoment(operationMoment)}`;
  await moveOn(context, row.id, { from: row.status, to: IN_TREATMENT, event });
  await withdrawTimes(context, row.id, TIME_CHANGED);
  await withdrawOffers(context, { referralId });
  auditChange([row.id], `offered time ${operationMoment} accepted`);
  invalidateCounts(context);
  return true;
}

export async function declineOffer(context: Answering, { referralId, operationMoment }: TimeOf): Promise<void> {
  const { tx, now, auditChange } = context;
  const row = await lockSentReferral(tx, referralId);
  const offer = row && (await lockOffer(tx, referralId, operationMoment));
  if (row === undefined || offer === undefined || !(await settleOffer(tx, offer.id, "declined", now))) return;
  const event = `Patienten har sagt nej til den tilbudte tid ${showMoment(operationMoment)}`;
  await logWithoutStatus(context, row.id, event);
  auditChange([row.id], `offered time ${operationMoment} declined`);
}

export async function withdrawOffers(
  { tx, outbox, now }: { tx: Tx } & Pick<ChangeContext, "outbox" | "now">,
  of: { freedTimeId?: number; referralId?: number },
): Promise<number> {
  const open = await findOpenOffers(tx, of);
  for (const { id, referralId } of open) {
    await settleOffer(tx, id, "withdrawn", now);
    await outbox.withdraw("timeOffer", [referralId]);
  }
  return open.length;
}

export type Reclaimed = "reclaimed" | "offered" | "taken";

/** State of a cancelled time. Times that staff removed from the list only staff can return (`mayBeRemoved`). */
async function stateOf(
  db: DbOrTx,
  time: Awaited<ReturnType<typeof findFreedTimeOf>>,
  mayBeRemoved: boolean,
  now: Date,
): Promise<"free" | "offered" | "taken"> {
  // The time had begun when it was cancelled, so it is never offered.
  if (time === undefined) return "free";
  if (time.closedBecause === "taken") return "taken";
  if (time.closedBecause === "removed" && !mayBeRemoved) return "taken";
  if (await isBookedByAnother(db, time)) return "taken";
  return (await hasOpenOffer(db, time.id, now)) ? "offered" : "free";
}

/** Whether the patient who cancelled a time could get it back. */
export async function canReclaim(db: DbOrTx, { referralId, operationMoment }: TimeOf, now: Date): Promise<boolean> {
  return (await stateOf(db, await findFreedTimeOf(db, referralId, operationMoment), false, now)) === "free";
}

/** Returns a time to the patient who cancelled it, or `offered` or `taken` if it is no longer available. */
export async function reclaimTime(
  tx: Tx,
  { referralId, operationMoment, mayBeRemoved }: TimeOf & { mayBeRemoved: boolean },
  now: Date,
): Promise<Reclaimed> {
  const time = await lockFreedTimeOf(tx, referralId, operationMoment);
  const state = await stateOf(tx, time, mayBeRemoved, now);
  if (state !== "free") return state;
  if (time !== undefined) await closeFreedTime(tx, time.id, "undone", null, now);
  return "reclaimed";
}
