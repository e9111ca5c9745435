export const clinicSettings = ["status16Label", "statusActiveDays", "messageMailAddress"] as const;

export const STANDARD_ACTIVE_DAYS = 14;
