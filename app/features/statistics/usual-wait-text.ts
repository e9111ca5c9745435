import { labelOf, referenceTypes } from "~/features/referrals/model/referral";
import { showCount } from "~/text/numbers";

export interface UsualWait {
  urgency: number;
  median: number;
  ninetiethPercentile: number;
}

const days = (count: number) => (count === 1 ? "1 dag" : `${showCount(count)} dage`);

const waitText = ({ urgency, median, ninetiethPercentile }: UsualWait) =>
  `${labelOf(referenceTypes, urgency)} ${days(median)}, ni af ti højst ${days(ninetiethPercentile)}`;

/** 'Ventetid til operation for tiden: Almindelig 46 dage, ni af ti højst 80 dage.' Undefined without data. */
export const usualWaitText = (waits: readonly UsualWait[]) =>
  waits.length === 0 ? undefined : `Ventetid til operation for tiden: ${waits.map(waitText).join("; ")}.`;
