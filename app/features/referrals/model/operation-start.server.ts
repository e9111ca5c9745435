import { addDays } from "~/text/calendar";
import { momentThere, startOfDay } from "~/text/copenhagen.server";
import { partsOfMoment } from "./operation-moment";

/** Start of an appointment as a date. @param moment `YYYY-MM-DD HH:MM` in Copenhagen */
export function startOfMoment(moment: string): Date {
  const { day, hour, minute } = partsOfMoment(moment);
  return momentThere(day, hour, minute);
}

/** End of its day; a patient may answer until then. */
export const endOfMoment = (moment: string) => new Date(startOfDay(addDays(partsOfMoment(moment).day, 1)));

export const hasBegun = (moment: string, now: Date) => now >= startOfMoment(moment);
