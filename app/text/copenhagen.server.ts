import { TZDate } from "@date-fns/tz";
import { isWeekend, parseISO } from "date-fns";
import { localDate, localTime, toMoment } from "./dates";
import { twoDigits } from "./numbers";

/** Copenhagen calendar with summer time. Server only: old browsers do not know the offset format. */
const ZONE = "Europe/Copenhagen";
const DAY_MS = 86_400_000;

/** Stored moment at which a date begins in Copenhagen. */
export function startOfDay(day: string): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return toMoment(new Date(new TZDate(year, month - 1, date, ZONE).getTime()));
}

/** The moment of a Copenhagen time; a skipped one in spring is an hour later, of two in autumn the later. */
export function momentThere(day: string, hour: number, minute: number): Date {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return new Date(new TZDate(year, month - 1, date, hour, minute, ZONE).getTime());
}

/** Whether a Copenhagen clock shows this time: the skipped hour in spring never. */
export const isShownThere = (day: string, hour: number, minute: number) =>
  localTime(momentThere(day, hour, minute)) === `${twoDigits(hour)}:${twoDigits(minute)}`;

/** Number of Copenhagen midnights between two moments. */
export const calendarDaysBetween = (from: Date, to: Date) =>
  (Date.parse(localDate(to)) - Date.parse(localDate(from))) / DAY_MS;

export const isWorkday = (moment: Date) => !isWeekend(parseISO(localDate(moment)));
