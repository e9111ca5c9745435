/** The settings that several features read: what status 16 is called, the days of the call-up statistics, and where news of messages goes. */
export const clinicSettings = ["status16Label", "statusActiveDays", "messageMailAddress"] as const;

/** How many days a called-up referral may wait until the clinic has said. */
export const STANDARD_ACTIVE_DAYS = 14;
