import type { Tx } from "~db/connection.server";
import {
  closeFreedTime,
  type FreedTime,
  hasOpenOffer,
  insertFreedTime,
  isBookedByAnother,
  lockFreedTimeOf,
} from "./freed-time-store.server";

/** A time that its patient has given up is somebody else's to have. */
export const freeTime = (tx: Tx, time: FreedTime, now: Date): Promise<void> => insertFreedTime(tx, time, now);

export type Reclaimed = "reclaimed" | "offered" | "taken";

/**
 * Gives a time back to the patient who had cancelled it. Answers `offered` or `taken`, and gives nothing back, once it has been offered to
 * another, or is another's. What staff have taken off the list (`mayBeRemoved`) only they can give back.
 */
export async function reclaimTime(
  tx: Tx,
  { referralId, operationMoment, mayBeRemoved }: { referralId: number; operationMoment: string; mayBeRemoved: boolean },
  now: Date,
): Promise<Reclaimed> {
  const time = await lockFreedTimeOf(tx, referralId, operationMoment);
  // It had begun when it was cancelled: nobody else can have it.
  if (time === undefined) return "reclaimed";
  if (time.closed_because === "taken") return "taken";
  if (time.closed_because === "removed" && !mayBeRemoved) return "taken";
  if (await isBookedByAnother(tx, time)) return "taken";
  if (await hasOpenOffer(tx, time.id, now)) return "offered";
  await closeFreedTime(tx, time.id, "undone", null, now);
  return "reclaimed";
}
