import { TZDate } from "@date-fns/tz";
import { isWeekend, parseISO } from "date-fns";
import { localDate, localTime, toMoment } from "./dates";
import { twoDigits } from "./numbers";

/** The calendar in Copenhagen, summer time and all. Not for a browser: an old one does not tell the offset that this asks for. */
const ZONE = "Europe/Copenhagen";
const DAY_MS = 86_400_000;

/** The stored moment at which a calendar date `YYYY-MM-DD` begins. */
export function startOfDay(day: string): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return toMoment(new Date(new TZDate(year, month - 1, date, ZONE).getTime()));
}

/** The moment at which clocks in Copenhagen show a time; one that is skipped in spring is an hour later, of two in autumn the later counts. */
export function momentThere(day: string, hour: number, minute: number): Date {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return new Date(new TZDate(year, month - 1, date, hour, minute, ZONE).getTime());
}

/** Whether clocks in Copenhagen show a time on a day: the hour that is skipped in spring is on none. */
export const isShownThere = (day: string, hour: number, minute: number) =>
  localTime(momentThere(day, hour, minute)) === `${twoDigits(hour)}:${twoDigits(minute)}`;

/** How many midnights lie between two moments. */
export const calendarDaysBetween = (from: Date, to: Date) =>
  (Date.parse(localDate(to)) - Date.parse(localDate(from))) / DAY_MS;

export const isWorkday = (moment: Date) => !isWeekend(parseISO(localDate(moment)));
