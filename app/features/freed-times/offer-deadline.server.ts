import { addHours, addMinutes } from "date-fns";
import { momentThere } from "~/text/copenhagen.server";
import { addDays } from "~/text/calendar";
import { localDate, localHour, localTime } from "~/text/dates";

const HOURS_TO_ANSWER = 3;
/** Minutes that a patient needs to read the offer and arrive. */
const MINUTES_BEFORE = 60;
const LAST_HOUR = 20;
const FIRST_HOUR = 10;

/**
 * The deadline of an offer: three hours on, rounded to the full hour; of an evening's offer ten the next morning; never
 * later than an hour before the time. Null if no time is left to answer.
 */
export function offerDeadline(start: Date, now: Date): Date | null {
  const later = addHours(now, HOURS_TO_ANSWER);
  const [day, hour] = [localDate(later), localHour(later)];
  const full = momentThere(day, localTime(later).endsWith(":00") ? hour : hour + 1, 0);
  const isTooLate = hour >= LAST_HOUR || day !== localDate(now);
  const wanted = isTooLate ? momentThere(addDays(localDate(now), 1), FIRST_HOUR, 0) : full;
  const latest = addMinutes(start, -MINUTES_BEFORE);
  const deadline = wanted < latest ? wanted : latest;
  return deadline > addMinutes(now, MINUTES_BEFORE / 2) ? deadline : null;
}
