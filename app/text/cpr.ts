import { isExists } from "date-fns";
import { cleanNumber } from "./normalise";

/**
 * CPR numbers: `DDMMYY-XXXX`, where the last four may hold letters (replacement numbers). Modulus 11 is never used to refuse one:
 * it has not been guaranteed since 2007.
 */

/** Takes what people type (with or without dash or space, letters in any case); answers `DDMMYY-XXXX` or null. */
export function parseCpr(input: string): string | null {
  const parts = partsOf(input);
  return parts && isDatePart(parts[0]) ? parts.join("-") : null;
}

/** What was typed or pasted, without spaces, dashes, invisible signs and a leading 'CPR:'. Nothing else is taken away. */
export const bareCpr = (input: string) =>
  cleanNumber(input)
    .toUpperCase()
    .replace(/^CPR(-?NR\.?|-?NUMMER)?\s*:?/, "")
    .replace(/[\s-]/g, "");

/** Whether all ten digits are there, valid or not. */
export const isWholeCpr = (input: string) => partsOf(input) !== null;

function partsOf(input: string): [six: string, four: string] | null {
  const bare = bareCpr(input);
  return /^\d{6}[0-9A-Z]{4}$/.test(bare) ? [bare.slice(0, 6), bare.slice(6)] : null;
}

/** Joins the two boxes; one paste of the whole number into the first box is understood too. */
export function joinCprBoxes(six: string, four: string): string {
  return four.trim() === "" ? six : `${six}-${four}`;
}

function isDatePart(six: string): boolean {
  const day = Number(six.slice(0, 2));
  const month = Number(six.slice(2, 4));
  const realDay = day > 60 ? day - 60 : day;
  const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return daysInMonth !== undefined && realDay >= 1 && realDay <= daysInMonth;
}

/**
 * The birth date `YYYY-MM-DD` of a CPR number by the 7th digit's century table; null where there is none (a letter, or a
 * day that the year does not have).
 */
export function birthDate(cpr: string): string | null {
  const century = /^\d$/.test(cpr[7] ?? "") ? Number(cpr[7]) : null;
  if (century === null) return null;
  const day = Number(cpr.slice(0, 2));
  const month = Number(cpr.slice(2, 4));
  const yy = Number(cpr.slice(4, 6));
  const year = fullYear(century, yy);
  const realDay = day > 60 ? day - 60 : day;
  return isExists(year, month - 1, realDay) ? `${year}-${cpr.slice(2, 4)}-${String(realDay).padStart(2, "0")}` : null;
}

function fullYear(seventh: number, yy: number): number {
  if (seventh <= 3) return 1900 + yy;
  if (seventh === 4 || seventh === 9) return yy <= 36 ? 2000 + yy : 1900 + yy;
  return yy <= 57 ? 2000 + yy : 1800 + yy;
}

/** Whole years between two dates `YYYY-MM-DD`; null where there is no birth date, or it lies in the future. */
export function ageOn(birth: string | null, today: string): number | null {
  if (birth === null || birth > today) return null;
  const years = Number(today.slice(0, 4)) - Number(birth.slice(0, 4));
  return today.slice(5) < birth.slice(5) ? years - 1 : years;
}
