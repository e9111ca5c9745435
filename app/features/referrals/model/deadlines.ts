import {
  AWAITING_CONSULTANT,
  AWAITING_MATERIAL,
  AWAITING_TRIAGE,
  CALLED_UP,
  CALLED_UP_AGAIN,
  CANCELLED_BY_SMS,
  CLOSED,
  DECLINED,
  IN_TREATMENT,
  NEEDS_NEW_TIME,
  NOT_REACHED,
  PATIENT_RINGS_BACK,
  READY_FOR_CALL_UP,
  TRIAGED,
  TRIAGED_FOR_ANAESTHESIA,
  TRIAGED_URGENT,
  TU,
  statuses,
} from "./status";

/** Days within which something must happen with a referral of each open status, unless the settings say otherwise. */
export const STANDARD_DAYS: Readonly<Record<number, number>> = {
  [AWAITING_TRIAGE]: 3,
  [AWAITING_CONSULTANT]: 5,
  [TRIAGED_URGENT]: 1,
  [TRIAGED]: 30,
  [TRIAGED_FOR_ANAESTHESIA]: 60,
  [READY_FOR_CALL_UP]: 7,
  [AWAITING_MATERIAL]: 21,
  [CALLED_UP]: 14,
  [CALLED_UP_AGAIN]: 14,
  [CANCELLED_BY_SMS]: 5,
  [IN_TREATMENT]: 30,
  [NEEDS_NEW_TIME]: 5,
  [PATIENT_RINGS_BACK]: 14,
  [NOT_REACHED]: 14,
};

/** Statuses in which something is still to happen, in display order. */
export const openStatuses = statuses.filter(({ value }) => ![CLOSED, DECLINED, TU].includes(value));

export type Deadlines = Readonly<Record<number, number>>;

/** When the referrer is reminded of material that is missing, in days after it was asked for; the settings may say otherwise. */
export const MATERIAL_REMINDERS = [
  { nth: 1, label: "Første påmindelse", days: 7 },
  { nth: 2, label: "Anden påmindelse", days: 14 },
] as const;

export const materialReminderSetting = (nth: number) => `daysToMaterialReminder${nth}`;

/** Name of the setting with the days of a status; empty for the standard. */
export const deadlineSetting = (status: number) => `daysInStatus${status}`;
