import { showDay } from "~/text/dates";
import { twoDigits } from "~/text/numbers";

/** Hours in which operations begin, both included, Copenhagen time. */
export const FIRST_HOUR = 7;
export const LAST_HOUR = 20;

interface OperationTime {
  operationDate: string | null;
  operationHour: number | null;
  operationMinute: number | null;
}

/** Operation time as `YYYY-MM-DD HH:MM` in Copenhagen; null without one. */
export const operationMoment = ({ operationDate: day, operationHour: hour, operationMinute: minute }: OperationTime) =>
  day === null ? null : `${day} ${twoDigits(hour)}:${twoDigits(minute)}`;

export function partsOfMoment(moment: string): { day: string; hour: number; minute: number } {
  return { day: moment.slice(0, 10), hour: Number(moment.slice(11, 13)), minute: Number(moment.slice(14, 16)) };
}

/** `19.11.2026 kl. 10.15`, for logs and mails; a day without an hour is stored as midnight. */
export function showMoment(moment: string): string {
  const { day, hour, minute } = partsOfMoment(moment);
  const time = hour === 0 && minute === 0 ? "" : ` kl. ${twoDigits(hour)}.${twoDigits(minute)}`;
  return `${showDay(day)}${time}`;
}
