export const setUpSteps = [
  "letterhead",
  "openingHours",
  "conditions",
  "treatmentTypes",
  "clinics",
  "referrers",
  "testMessage",
] as const;

/** Gaps that only the server's settings can close. */
export const serverGaps = ["clinicName", "support", "sender", "email", "sms", "eboks", "personRegister"] as const;

export type SetUpStep = (typeof setUpSteps)[number];
export type ServerGap = (typeof serverGaps)[number];

export interface SetUp {
  missing: (SetUpStep | ServerGap)[];
  isEmpty: boolean;
}
