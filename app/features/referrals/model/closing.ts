import { CLOSED, DECLINED, NOT_REACHED } from "./statuses";

/** Why a referral was closed (docs/rules/closing.md). */
export const closingReasons = [
  { value: "treated", label: "Behandlet" },
  { value: "notReached", label: "Ikke truffet" },
  { value: "declined", label: "Patienten ønsker ikke behandlingen" },
  { value: "rejected", label: "Henvisningen er afvist" },
  { value: "duplicate", label: "Dublet" },
] as const;

export type ClosingReason = (typeof closingReasons)[number]["value"];

/**
 * Whether the referrer gets a mail, also without 'Send mig en mail, når sagens status ændres': a patient who was not
 * treated is theirs again.
 */
export const isAlwaysTold = (status: number, closedBecause: string | null): boolean =>
  status === NOT_REACHED ||
  status === DECLINED ||
  (status === CLOSED && closedBecause !== null && closedBecause !== "treated");

export const NO_REASON = "Ikke angivet";

export const reasonLabel = (reason: string | null): string =>
  closingReasons.find(({ value }) => value === reason)?.label ?? NO_REASON;
