import {
  CALLED_UP,
  CALLED_UP_AGAIN,
  NOT_REACHED,
  READY_FOR_CALL_UP,
  statuses,
  TRIAGED_URGENT,
} from "~/features/referrals/model/status";

/** States of a call-up: waiting or under way, failed, sent, protected address. */
export const PLANNED = 1;
export const FAILED = 2;
export const SUCCEEDED = 3;
export const CALL_UP_PROTECTED_ADDRESS = 4;

const SUBSET = [1, 3, 14, 5, 9, 6, 15, 12, 11];
export const callUpStatuses = SUBSET.map((value) => statuses.find((status) => status.value === value)!);

export const defaultCallUpStatuses: readonly number[] = [TRIAGED_URGENT, READY_FOR_CALL_UP];

const afterCallUp: Readonly<Record<number, number>> = {
  1: CALLED_UP,
  2: CALLED_UP,
  3: CALLED_UP,
  14: CALLED_UP,
  [NOT_REACHED]: CALLED_UP,
  13: CALLED_UP,
  [CALLED_UP]: CALLED_UP_AGAIN,
};

export const statusAfterCallUp = (status: number): number | null => afterCallUp[status] ?? null;
