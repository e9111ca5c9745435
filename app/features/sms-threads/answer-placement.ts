/** A referral whose patient has had an SMS at the number that an answer came from. */
export interface AnswerCandidate {
  referralId: number;
  /** Of the message that went there last: later ones have greater numbers. */
  lastMessageId: number;
  /** `YYYY-MM-DD HH:MM` in Copenhagen; null without a time. */
  operationMoment: string | null;
  /** Neither closed nor declined. */
  isOpen: boolean;
  /** The number stands on it now. */
  hasNumber: boolean;
  /** The same for the same person. */
  person: string | number;
}

export interface Placement {
  fits: "none" | "one" | "several";
  /** Whose thread it belongs to; null where none or several fit. */
  referralId: number | null;
  hasTimeAhead: boolean;
  isAlone: boolean;
}

/**
 * The referral that an answer belongs to: the one that last sent a message to the number, if it also has the nearest time to come. When these are
 * two referrals, or several patients come into question, the answer fits several and a person decides. Closed referrals count only when there is
 * no open one.
 *
 * @param now `YYYY-MM-DD HH:MM` in Copenhagen
 */
export function placeAnswerAmong(candidates: readonly AnswerCandidate[], now: string): Placement {
  const open = candidates.filter(({ isOpen }) => isOpen);
  const pool = open.length > 0 ? open : candidates;
  if (pool.length === 0) return { fits: "none", referralId: null, hasTimeAhead: false, isAlone: false };
  const isAhead = ({ operationMoment }: AnswerCandidate) => operationMoment !== null && operationMoment > now;
  const ahead = pool.filter(isAhead);
  const last = pool.reduce((one, other) => (other.lastMessageId > one.lastMessageId ? other : one));
  const nearest = ahead.reduce(
    (one, other) => (other.operationMoment! < one.operationMoment! ? other : one),
    ahead[0] ?? last,
  );
  const people = new Set((ahead.length > 0 ? ahead : pool).map(({ person }) => person));
  if (nearest !== last || people.size > 1)
    return { fits: "several", referralId: null, hasTimeAhead: ahead.length > 0, isAlone: false };
  return {
    fits: "one",
    referralId: last.referralId,
    hasTimeAhead: isAhead(last),
    isAlone: ahead.length <= 1 && last.hasNumber,
  };
}
