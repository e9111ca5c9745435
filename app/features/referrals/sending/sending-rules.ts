/**
 * When a referral is sent whose files are on their way as its sender presses 'Send henvisning' (docs/rules/sending-with-files.md). Pure, so that
 * pages say what the server does.
 */

/** A referral that waits for its files goes without those that have not come after so many hours. */
export const MAX_WAIT_HOURS = 24;
/** Missing files of a sent referral may arrive for so many days; after that they are no longer awaited. */
export const MAX_LATE_DAYS = 7;

export interface SendingFacts {
  isUrgent: boolean;
  /** The longest wait is over. */
  isDue: boolean;
  /** Files that have begun to come and have not come whole. */
  unfinished: number;
  /** Images that are there. */
  images: number;
}

/** `now`: it is sent as it is · `wait`: for its files. Of those that were to come some must have: nothing is sent because all were refused. */
export function decideSending({ isUrgent, isDue, unfinished, images }: SendingFacts): "now" | "wait" {
  if (isDue || (isUrgent && unfinished > 0)) return "now";
  return unfinished === 0 && images > 0 ? "now" : "wait";
}
