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

/** `19.11.2026 kl. 10.15`, for logs and mails. */
export const showMoment = (moment: string) =>
  `${moment.slice(8, 10)}.${moment.slice(5, 7)}.${moment.slice(0, 4)} kl. ${moment.slice(11, 13)}.${moment.slice(14, 16)}`;
