import {
  AWAITING_MATERIAL,
  CLOSED,
  type NextStep,
  statuses,
  TRIAGED,
  TRIAGED_FOR_ANAESTHESIA,
  TRIAGED_URGENT,
  UNTRIAGED,
} from "./statuses";

/** Urgent referrals are triaged as urgent first. */
const AFTER_URGENT: readonly number[] = [TRIAGED_URGENT, TRIAGED, AWAITING_MATERIAL, TRIAGED_FOR_ANAESTHESIA];

/** Suggestions of 'Næste skridt'. With a time to come none of them closes the referral. */
export function nextSteps(
  status: number,
  { isUrgent, hasTimeToCome }: { isUrgent: boolean; hasTimeToCome: boolean },
): readonly NextStep[] {
  const steps =
    isUrgent && UNTRIAGED.includes(status)
      ? AFTER_URGENT.filter((next) => next !== status)
      : (statuses.find(({ value }) => value === status)?.next ?? []);
  return hasTimeToCome ? steps.filter((step) => step !== CLOSED) : steps;
}
