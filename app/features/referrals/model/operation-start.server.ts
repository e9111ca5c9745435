import { addDays } from "~/text/calendar";
import { momentThere, startOfDay } from "~/text/copenhagen.server";
import { fromMoment } from "~/text/dates";
import { partsOfMoment } from "./operation-moment";

/** When an appointment begins. @param moment `YYYY-MM-DD HH:MM` in Copenhagen */
export function startOfMoment(moment: string): Date {
  const { day, hour, minute } = partsOfMoment(moment);
  return momentThere(day, hour, minute);
}

/** The end of its day: until then a patient may answer. */
export const endOfMoment = (moment: string) => fromMoment(startOfDay(addDays(partsOfMoment(moment).day, 1)));

export const hasBegun = (moment: string, now: Date) => now >= startOfMoment(moment);
