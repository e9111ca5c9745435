export interface AnswerCandidate {
  referralId: number;
  lastMessageId: number;
  /** `YYYY-MM-DD HH:MM` in Copenhagen; null without a time. */
  operationMoment: string | null;
  isOpen: boolean;
  hasNumber: boolean;
  person: string | number;
}

interface Placement {
  fits: "none" | "one" | "several";
  /** The referral of the thread; null if none or several fit. */
  referralId: number | null;
  hasTimeAhead: boolean;
  isAlone: boolean;
}

/**
 * Places an answer: on the referral that last wrote to the number, if it also has the nearest future time. Otherwise,
 * or with several patients, a person decides. Closed referrals count only without an open one. @param now `YYYY-MM-DD
 * HH:MM` in Copenhagen
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

export const replyTitles = { smsReply: "Tak for din besked", smsReplyCallUs: "Ring til os" } as const;

type ReplyKind = keyof typeof replyTitles;

export const replyKinds = Object.keys(replyTitles) as [ReplyKind, ...ReplyKind[]];
