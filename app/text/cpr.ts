import { isExists } from "date-fns";
import { cleanNumber } from "./normalise";

/**
 * CPR numbers `DDMMYY-XXXX`; the last four may contain letters (replacement numbers). Modulus 11 never refuses one, as
 * it has not been guaranteed since 2007.
 */

/**
 * Parses typed text (optional dash or space, letters in any case, a leading 'CPR:'); returns `DDMMYY-XXXX`, or null
 * unless the first four digits are a day and a month. Days from 61 on belong to replacement numbers. 29 February is
 * accepted in any year, since the century is not known here.
 */
export function parseCpr(input: string): string | null {
  const parts = partsOf(input);
  return parts && isDatePart(parts[0]) ? parts.join("-") : null;
}

/** Removes spaces, dashes, invisible characters and a leading 'CPR:'. */
export const bareCpr = (input: string) =>
  cleanNumber(input)
    .toUpperCase()
    .replace(/^CPR(-?NR\.?|-?NUMMER)?\s*:?/, "")
    .replace(/[\s-]/g, "");

export const isWholeCpr = (input: string) => partsOf(input) !== null;

function partsOf(input: string): [six: string, four: string] | null {
  const bare = bareCpr(input);
  return /^\d{6}[0-9A-Z]{4}$/.test(bare) ? [bare.slice(0, 6), bare.slice(6)] : null;
}

/** Joins the two boxes; the whole number pasted into the first is accepted. */
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

/** Birth date `YYYY-MM-DD` by the seventh digit's century table; null for letters or impossible days. */
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

/** Age in whole years; null without a birth date or with a future one. */
export function ageOn(birth: string | null, today: string): number | null {
  if (birth === null || birth > today) return null;
  const years = Number(today.slice(0, 4)) - Number(birth.slice(0, 4));
  return today.slice(5) < birth.slice(5) ? years - 1 : years;
}

/** Whether the number's birth date is still to come. */
export const isUnborn = (cpr: string, today: string) => (birthDate(cpr) ?? today) > today;

const OLD = 105;

/** The age by the number if it is over 105 years and so most likely a wrong digit; null otherwise. */
export function oldAge(cpr: string, today: string): number | null {
  const age = ageOn(birthDate(cpr), today);
  return age !== null && age > OLD ? age : null;
}
