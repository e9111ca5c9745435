/** What a new portal needs before the clinic can use it, in the order it is done in. */
export const setUpSteps = [
  "email",
  "sms",
  "eboks",
  "personRegister",
  "letterhead",
  "conditions",
  "treatmentTypes",
  "clinics",
  "referrers",
] as const;

export type SetUpStep = (typeof setUpSteps)[number];
