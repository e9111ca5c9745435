export const clinicSettings = ["status16Label", "statusActiveDays", "messageMailAddress"] as const;

/** Default days for a called-up referral. */
export const STANDARD_ACTIVE_DAYS = 14;
