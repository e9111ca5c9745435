import type { DbOrTx, Tx } from "~db/connection.server";
import {
  closeFreedTime,
  findFreedTimeOf,
  type FreedTime,
  hasOpenOffer,
  insertFreedTime,
  isBookedByAnother,
  lockFreedTimeOf,
} from "./freed-time-store.server";

/** Records the time of a cancelled appointment as free for other patients. */
export const freeTime = (tx: Tx, time: FreedTime, now: Date): Promise<void> => insertFreedTime(tx, time, now);

export type Reclaimed = "reclaimed" | "offered" | "taken";

/** What has become of a time that its patient had cancelled. What staff have taken off the list only they can give back (`mayBeRemoved`). */
async function stateOf(
  db: DbOrTx,
  time: Awaited<ReturnType<typeof findFreedTimeOf>>,
  mayBeRemoved: boolean,
  now: Date,
): Promise<"free" | "offered" | "taken"> {
  // It had begun when it was cancelled, so it cannot be offered.
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

/** Whether a patient who had cancelled a time could have it back. */
export async function canReclaim(db: DbOrTx, { referralId, operationMoment }: TimeOf, now: Date): Promise<boolean> {
  return (await stateOf(db, await findFreedTimeOf(db, referralId, operationMoment), false, now)) === "free";
}

/**
 * Gives a time back to the patient who had cancelled it. Answers `offered` or `taken`, and gives nothing back, once it has been offered to
 * another, or is another's.
 */
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
