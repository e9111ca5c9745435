import type { DbOrTx, Tx } from "~db/connection.server";
import {
  closeFreedTime,
  findFreedTimeOf,
  type FreedTime,
  hasOpenOffer,
  insertFreedTime,
  isBookedByAnother,
  lockFreedTimeOf,
} from "./store.server";

export const freeTime = (tx: Tx, time: FreedTime, now: Date): Promise<void> => insertFreedTime(tx, time, now);

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
  if (time.closed_because === "taken") return "taken";
  if (time.closed_because === "removed" && !mayBeRemoved) return "taken";
  if (await isBookedByAnother(db, time)) return "taken";
  return (await hasOpenOffer(db, time.id, now)) ? "offered" : "free";
}

interface TimeOf {
  referralId: number;
  operationMoment: string;
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
