import {
  AWAITING_CONSULTANT,
  AWAITING_MATERIAL,
  AWAITING_TRIAGE,
  CALLED_UP,
  CALLED_UP_AGAIN,
  CANCELLED_BY_SMS,
  CLOSED,
  DECLINED,
  IN_TREATMENT,
  NEEDS_NEW_TIME,
  NOT_REACHED,
  PATIENT_RINGS_BACK,
  READY_FOR_CALL_UP,
  TRIAGED,
  TRIAGED_FOR_ANAESTHESIA,
  TRIAGED_URGENT,
  TU,
  UNTRIAGED,
} from "./status";

/** A status to set, the form that calls the patient up, or its button 'pr. telefon'. */
export type NextStep = number | "callUp" | "timeByPhone";

/** Likely next steps, likeliest first; the select still has all statuses. A call-up sets 5 and 9, no step does. */
const likelyNext: Readonly<Record<number, readonly NextStep[]>> = {
  [AWAITING_TRIAGE]: [TRIAGED, AWAITING_MATERIAL, TRIAGED_URGENT],
  [AWAITING_CONSULTANT]: [TRIAGED, AWAITING_MATERIAL, TRIAGED_URGENT],
  [TRIAGED_URGENT]: [READY_FOR_CALL_UP, AWAITING_MATERIAL],
  [TRIAGED]: [READY_FOR_CALL_UP, AWAITING_MATERIAL],
  [TRIAGED_FOR_ANAESTHESIA]: [READY_FOR_CALL_UP, AWAITING_MATERIAL],
  [READY_FOR_CALL_UP]: ["callUp", "timeByPhone", AWAITING_MATERIAL],
  [AWAITING_MATERIAL]: [TRIAGED],
  [CALLED_UP]: [IN_TREATMENT, "callUp"],
  [CALLED_UP_AGAIN]: [IN_TREATMENT, NOT_REACHED],
  [CANCELLED_BY_SMS]: ["callUp", PATIENT_RINGS_BACK],
  [PATIENT_RINGS_BACK]: [IN_TREATMENT, NOT_REACHED],
  [NOT_REACHED]: [CLOSED],
  [DECLINED]: [CLOSED],
  [IN_TREATMENT]: [CLOSED, NEEDS_NEW_TIME],
  [NEEDS_NEW_TIME]: [IN_TREATMENT, "callUp"],
  [TU]: [CLOSED],
  [CLOSED]: [],
};

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
      : (likelyNext[status] ?? []);
  return hasTimeToCome ? steps.filter((step) => step !== CLOSED) : steps;
}
