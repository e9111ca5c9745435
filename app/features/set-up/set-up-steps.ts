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
