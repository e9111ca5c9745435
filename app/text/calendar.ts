import {
  addMonths as addCalendarMonths,
  addYears as addCalendarYears,
  getISOWeek,
  getISOWeekYear,
  isExists,
  lightFormat,
  parseISO,
  startOfISOWeek,
} from "date-fns";
import { twoDigits } from "./numbers";

/* Calculates and parses dates `YYYY-MM-DD`. Apart from display, which every page needs. */

export const noDayText = (typed: string) =>
  /^\d{1,4}[.\-/ ]\d{1,2}[.\-/ ]\d{1,4}$|^\d{8}$/.test(typed.trim())
    ? "Datoen findes ikke."
    : "Skriv en dato som dd.mm.åååå.";

/** Parses `dd.mm.yyyy`, `d/m-yy` and `YYYY-MM-DD` to `YYYY-MM-DD`; null if no date. */
export function parseDay(input: string): string | null {
  const text = input.trim();
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const danish = /^(\d{1,2})[.\-/ ](\d{1,2})[.\-/ ](\d{4}|\d{2})$/.exec(text) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(text);
  const [year, month, day] = iso
    ? [Number(iso[1]), Number(iso[2]), Number(iso[3])]
    : danish
      ? [Number(danish[3]) + (danish[3]!.length === 2 ? 2000 : 0), Number(danish[2]), Number(danish[1])]
      : [0, 0, 0];
  const isReal = year >= 1850 && year <= 2200 && isExists(year, month - 1, day);
  return isReal ? lightFormat(new Date(year, month - 1, day), "yyyy-MM-dd") : null;
}

const DAY_MS = 86_400_000;

/** Counted in UTC, where every day has 24 hours: date-fns takes three times as long. */
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export const mondayOf = (day: string) => lightFormat(startOfISOWeek(parseISO(day)), "yyyy-MM-dd");

/** Number of a day's week by ISO 8601, as calendars in Denmark have it, and the year that the week belongs to. */
export const weekOf = (day: string) => ({ week: getISOWeek(parseISO(day)), year: getISOWeekYear(parseISO(day)) });

/** The same day `months` later, or the month's last. */
export const addMonths = (day: string, months: number) =>
  lightFormat(addCalendarMonths(parseISO(day), months), "yyyy-MM-dd");

export const addYears = (day: string, years: number) =>
  lightFormat(addCalendarYears(parseISO(day), years), "yyyy-MM-dd");

/** Fixed closing days of Danish clinics, `MM-DD`, holidays or not. */
const FIXED = ["01-01", "06-05", "12-24", "12-25", "12-26", "12-31"];

/**
 * Days after Easter: Maundy Thursday to Easter Monday, Ascension, Whit Sunday and Monday. Great Prayer Day ended in
 * 2024.
 */
const AFTER_EASTER = [-3, -2, 0, 1, 39, 49, 50];

/** Gregorian Easter Sunday `YYYY-MM-DD` (Meeus/Butcher). */
export function easterSunday(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return `${year}-${twoDigits(Math.floor(n / 31))}-${twoDigits((n % 31) + 1)}`;
}

export function isHoliday(day: string): boolean {
  if (FIXED.includes(day.slice(5))) return true;
  const easter = easterSunday(Number(day.slice(0, 4)));
  return AFTER_EASTER.some((days) => addDays(easter, days) === day);
}
