/** Hours after which a waiting referral is sent without missing files. */
export const MAX_WAIT_HOURS = 24;
export const MAX_LATE_DAYS = 7;

export interface SendingFacts {
  isUrgent: boolean;
  isDue: boolean;
  unfinished: number;
  images: number;
}

/** `now`: send as it is; `wait`: for files. At least one file must have arrived. */
export function decideSending({ isUrgent, isDue, unfinished, images }: SendingFacts): "now" | "wait" {
  if (isDue || (isUrgent && unfinished > 0)) return "now";
  return unfinished === 0 && images > 0 ? "now" : "wait";
}
