import {
  CALLED_UP,
  CALLED_UP_AGAIN,
  IN_TREATMENT,
  NEEDS_NEW_TIME,
  NOT_REACHED,
  PATIENT_RINGS_BACK,
  READY_FOR_CALL_UP,
  statuses,
  TRIAGED_FOR_ANAESTHESIA,
  TRIAGED_URGENT,
} from "~/features/referrals/model/statuses";

/** A call-up is 1 waiting or under way, 2 failed, 3 sent, or 4 not sent to a protected address. */
export const PLANNED = 1;
export const CALL_UP_PROTECTED_ADDRESS = 4;

const SUBSET = [
  TRIAGED_URGENT,
  READY_FOR_CALL_UP,
  TRIAGED_FOR_ANAESTHESIA,
  CALLED_UP,
  CALLED_UP_AGAIN,
  IN_TREATMENT,
  NEEDS_NEW_TIME,
  PATIENT_RINGS_BACK,
  NOT_REACHED,
];
export const callUpStatuses = SUBSET.map((value) => statuses.find((status) => status.value === value)!);

export const defaultCallUpStatuses: readonly number[] = [TRIAGED_URGENT, READY_FOR_CALL_UP];

export const statusAfterCallUp = (status: number): number | null =>
  statuses.find(({ value }) => value === status)?.afterCallUp ?? null;
