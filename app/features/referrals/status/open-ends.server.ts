import { idsOf, type DbOrTx } from "~db/connection.server";
import type { ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import type { ClosingReason } from "../model/closing";
import { timeToCome } from "../model/operation-start.server";
import { CLOSED, DECLINED, ENDED, NOT_REACHED } from "../model/statuses";
import { isUntriagedUrgent } from "../model/triage";
import { findCaseFacts } from "../store/case-facts-store.server";
import { findOtherReferrals, hasDischargeLetter, hasWaitingCallUp } from "../store/closing-store.server";
import type { ReferralRow } from "../store/referral-store.server";

/** What a status that ends a case would leave behind (docs/rules/closing.md). */
export interface OpenEnds {
  files: ReferralFile[];
  isUnanswered: boolean;
  isUntriaged: boolean;
  hasCallUp: boolean;
  /** `YYYY-MM-DD HH:MM` in Copenhagen. */
  timeToCome: string | null;
  lacksLetter: boolean;
  /** The likeliest reason; null where the facts tell none. */
  reason: ClosingReason | null;
  /** Other referrals of the patient, of which this one may be a duplicate. */
  others: number[];
}

const nothingOpen: OpenEnds = {
  files: [],
  isUnanswered: false,
  isUntriaged: false,
  hasCallUp: false,
  timeToCome: null,
  lacksLetter: false,
  reason: null,
  others: [],
};

const byStatus: Readonly<Record<number, ClosingReason>> = { [NOT_REACHED]: "notReached", [DECLINED]: "declined" };

/** What is open before the referral gets a status; only closing looks at all of it. */
export async function findOpenEnds(db: DbOrTx, row: ReferralRow, status: number, now: Date): Promise<OpenEnds> {
  if (!ENDED.includes(status)) return nothingOpen;
  const isUntriaged = isUntriagedUrgent(row);
  if (status !== CLOSED) return { ...nothingOpen, isUntriaged };
  const facts = await findCaseFacts(db, [row.id], now);
  const wasSeen = facts.get(row.id)?.wasSeen ?? false;
  return {
    files: await findFiles(db, row.id),
    isUnanswered: row.hasUnansweredMessage,
    isUntriaged,
    hasCallUp: await hasWaitingCallUp(db, row),
    timeToCome: timeToCome(row, now),
    lacksLetter: wasSeen && !row.declinesDischargeLetter && !(await hasDischargeLetter(db, row)),
    reason: byStatus[row.status] ?? (wasSeen ? "treated" : null),
    others: await findOtherReferrals(db, row),
  };
}

/** The facts that the question shows; one that changes while it is open refuses the answer. */
export const factsOfEnds = (ends: OpenEnds) => ({
  files: idsOf(ends.files).join(" "),
  unanswered: ends.isUnanswered ? "yes" : "",
  untriaged: ends.isUntriaged ? "yes" : "",
  callUp: ends.hasCallUp ? "yes" : "",
  time: ends.timeToCome ?? "",
  letter: ends.lacksLetter ? "none" : "",
});

export const isAnythingOpen = (ends: OpenEnds): boolean => Object.values(factsOfEnds(ends)).some((fact) => fact !== "");
