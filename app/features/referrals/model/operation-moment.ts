import { twoDigits } from "~/text/numbers";

/** The hours in which an operation may begin, both included, by the clock in Copenhagen. */
export const FIRST_HOUR = 7;
export const LAST_HOUR = 20;

interface OperationTime {
  operation_date: string | null;
  operation_hour: number | null;
  operation_minute: number | null;
}

/** The time of an operation as one text, `YYYY-MM-DD HH:MM` in Copenhagen; null while there is none. */
export const operationMoment = ({
  operation_date: day,
  operation_hour: hour,
  operation_minute: minute,
}: OperationTime) => (day === null ? null : `${day} ${twoDigits(hour)}:${twoDigits(minute)}`);

/** The day `YYYY-MM-DD`, the hour and the minute of such a text. */
export function partsOfMoment(moment: string): { day: string; hour: number; minute: number } {
  return { day: moment.slice(0, 10), hour: Number(moment.slice(11, 13)), minute: Number(moment.slice(14, 16)) };
}

/** `19.11.2026 kl. 10.15`, as logs and mails say it. */
export const showMoment = (moment: string) =>
  `${moment.slice(8, 10)}.${moment.slice(5, 7)}.${moment.slice(0, 4)} kl. ${moment.slice(11, 13)}.${moment.slice(14, 16)}`;
