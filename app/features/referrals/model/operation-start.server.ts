import { addDays } from "~/text/calendar";
import { momentThere, startOfDay } from "~/text/copenhagen.server";
import { operationMoment, partsOfMoment } from "./operation-moment";

/** Start of an appointment as a date. @param moment `YYYY-MM-DD HH:MM` in Copenhagen */
export function startOfMoment(moment: string): Date {
  const { day, hour, minute } = partsOfMoment(moment);
  return momentThere(day, hour, minute);
}

/** End of its day; a patient may answer until then. */
export const endOfMoment = (moment: string) => new Date(startOfDay(addDays(partsOfMoment(moment).day, 1)));

/** The operation's time, `YYYY-MM-DD HH:MM` in Copenhagen, until it begins; null once it has, and of a cancelled one. */
export function timeToCome(
  row: Parameters<typeof operationMoment>[0] & { cancellationDate: string | null },
  now: Date,
): string | null {
  const moment = operationMoment(row);
  if (moment === null || row.cancellationDate !== null) return null;
  const end = row.operationHour === null ? endOfMoment(moment) : startOfMoment(moment);
  return now < end ? moment : null;
}

export const hasBegun = (moment: string, now: Date) => now >= startOfMoment(moment);
