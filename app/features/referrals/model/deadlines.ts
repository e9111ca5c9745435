import { statuses } from "./statuses";

/** Statuses in which something is still to happen, in display order. */
export const openStatuses = statuses.flatMap(({ days, urgentDays, ...status }) =>
  days === null || urgentDays === null ? [] : { ...status, days, urgentDays },
);

/** Days within which something must happen, by open status. */
type Days = Readonly<Record<number, number>>;

export interface Deadlines {
  ordinary: Days;
  urgent: Days;
  /** Urgency counts for statuses that were set after this day, `YYYYMMDD`; 0 for all. */
  urgencyCountsFrom: number;
  /** Days (`YYYY-MM-DD`) on which the clinic is closed beside weekends and public holidays. */
  closedDays: readonly string[];
}

/** Two hours before the clinic closes: with 0 days, what comes later is due on the next working day. */
export const LAST_ARRIVAL = "14:00";

/** Unless the settings say otherwise. */
export const STANDARD_DEADLINES: Deadlines = {
  ordinary: Object.fromEntries(openStatuses.map(({ value, days }) => [value, days])),
  urgent: Object.fromEntries(openStatuses.map(({ value, urgentDays }) => [value, urgentDays])),
  urgencyCountsFrom: 0,
  closedDays: [],
};

/** When the referrer is reminded of material that is missing, in days after it was asked for; the settings may say otherwise. */
export const MATERIAL_REMINDERS = [
  { nth: 1, label: "Første påmindelse", days: 7 },
  { nth: 2, label: "Anden påmindelse", days: 14 },
] as const;

export const materialReminderSetting = (nth: number) => `daysToMaterialReminder${nth}`;

/** Name of the setting with the days of a status; empty for the standard. */
export const deadlineSetting = (status: number) => `daysInStatus${status}`;

export const urgentDeadlineSetting = (status: number) => `urgentDaysInStatus${status}`;
