import { addDays, addYears, noDayText, parseDay } from "~/text/calendar";
import { monthOf, nextMonth, type Period } from "./period";

export const WRONG_ORDER = "Fra-datoen kan ikke være efter til-datoen.";
export const TOO_LONG = "Perioden kan højst være 10 år.";
const MAX_YEARS = 10;

/** Twelve months ending today. */
export const lastTwelveMonths = (today: string): Period => ({ from: addDays(addYears(today, -1), 1), to: today });

/** The end of the twelve months that start on a day. */
export const twelveMonthsFrom = (day: string) => addDays(addYears(day, 1), -1);

export interface QuickChoice extends Period {
  label: string;
}

/** Periods offered as links. */
export function quickChoices(today: string): QuickChoice[] {
  const thisMonth = monthOf(today);
  const lastMonth = monthOf(addDays(thisMonth, -1));
  const quarter = `${today.slice(0, 4)}-${String(Math.floor((Number(today.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, "0")}-01`;
  const lastQuarterEnd = addDays(quarter, -1);
  return [
    { label: "Seneste 12 måneder", ...lastTwelveMonths(today) },
    { label: "I år", from: `${today.slice(0, 4)}-01-01`, to: today },
    { label: "Sidste kvartal", from: monthOf(addDays(monthOf(lastQuarterEnd), -40)), to: lastQuarterEnd },
    { label: "Sidste måned", from: lastMonth, to: addDays(nextMonth(lastMonth), -1) },
  ];
}

/** Parses the requested period; missing dates are defaults, unreadable ones give an error. */
export function readPeriod(
  { from, to }: { from: string; to: string },
  standard: Period,
): { period: Period; errors: { from?: string; to?: string } } {
  const days = {
    from: from.trim() === "" ? standard.from : parseDay(from),
    to: to.trim() === "" ? standard.to : parseDay(to),
  };
  if (days.from === null || days.to === null)
    return {
      period: standard,
      errors: {
        ...(days.from === null ? { from: noDayText(from) } : {}),
        ...(days.to === null ? { to: noDayText(to) } : {}),
      },
    };
  if (days.from > days.to) return { period: standard, errors: { from: WRONG_ORDER } };
  if (days.to > addYears(days.from, MAX_YEARS)) return { period: standard, errors: { from: TOO_LONG } };
  return { period: { from: days.from, to: days.to }, errors: {} };
}
