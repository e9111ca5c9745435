import { statuses } from "./statuses";

/** Statuses in which something is still to happen, in display order. */
export const openStatuses = statuses.flatMap((status) =>
  status.days === null ? [] : { ...status, days: status.days },
);

/** Days within which something must happen in each open status, unless the settings say otherwise. */
export const STANDARD_DAYS: Deadlines = Object.fromEntries(openStatuses.map(({ value, days }) => [value, days]));

export type Deadlines = Readonly<Record<number, number>>;

/** When the referrer is reminded of material that is missing, in days after it was asked for; the settings may say otherwise. */
export const MATERIAL_REMINDERS = [
  { nth: 1, label: "Første påmindelse", days: 7 },
  { nth: 2, label: "Anden påmindelse", days: 14 },
] as const;

export const materialReminderSetting = (nth: number) => `daysToMaterialReminder${nth}`;

/** Name of the setting with the days of a status; empty for the standard. */
export const deadlineSetting = (status: number) => `daysInStatus${status}`;
