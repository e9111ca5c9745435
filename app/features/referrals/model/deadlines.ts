import { CLOSED, DECLINED, statuses, TU } from "./status";

/** Days within which something must happen with a referral of each open status, unless the settings say otherwise. */
export const STANDARD_DAYS: Readonly<Record<number, number>> = {
  0: 3,
  16: 5,
  1: 1,
  2: 30,
  14: 60,
  3: 7,
  4: 21,
  5: 14,
  9: 14,
  13: 5,
  6: 30,
  15: 5,
  12: 14,
  11: 14,
};

/** Statuses in which something is still to happen, in display order. */
export const openStatuses = statuses.filter(({ value }) => ![CLOSED, DECLINED, TU].includes(value));

/** Days of each open status. */
export type Deadlines = Readonly<Record<number, number>>;

/** When the referrer is reminded of material that is missing, in days after it was asked for; the settings may say otherwise. */
export const MATERIAL_REMINDERS = [
  { nth: 1, label: "Første påmindelse", days: 7 },
  { nth: 2, label: "Anden påmindelse", days: 14 },
] as const;

export const materialReminderSetting = (nth: number) => `daysToMaterialReminder${nth}`;

/** Name of the setting with the days of a status; empty for the standard. */
export const deadlineSetting = (status: number) => `daysInStatus${status}`;
