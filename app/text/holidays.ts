import { addDays } from "./calendar";
import { twoDigits } from "./numbers";

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
