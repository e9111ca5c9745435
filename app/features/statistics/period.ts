import { addDays, addYears, noDayText, parseDay } from "~/text/calendar";

export interface Period {
  from: string;
  to: string;
}

/** Days, thirds of a month (from the 1st, 11th and 21st), and months. */
type Grain = "D" | "T" | "M";

export interface Piece extends Period {
  grain: Grain;
}

const monthOf = (day: string) => `${day.slice(0, 7)}-01`;
export const nextMonth = (day: string) => monthOf(addDays(monthOf(day), 31));

const thirdOf = (day: string) =>
  `${day.slice(0, 8)}${day.slice(8) <= "10" ? "01" : day.slice(8) <= "20" ? "11" : "21"}`;

/** Start of the span containing a day, and of the next one. */
const spans: Record<Grain, { startOf(day: string): string; after(day: string): string }> = {
  D: { startOf: (day) => day, after: (day) => addDays(day, 1) },
  T: { startOf: thirdOf, after: (day) => thirdOf(addDays(thirdOf(day), 11)) },
  M: { startOf: monthOf, after: nextMonth },
};

export const startsOf = (day: string) =>
  (["D", "T", "M"] as const).map((grain) => ({ grain, start: spans[grain].startOf(day) }));

/** Splits a period into whole months, and thirds and days at its ends, so that few rows are read. */
export function piecesOf({ from, to }: Period, [grain, ...finer]: Grain[] = ["M", "T", "D"]): Piece[] {
  if (grain === undefined || from > to) return [];
  const { startOf, after } = spans[grain];
  const firstWhole = from === startOf(from) ? from : after(from);
  const afterWhole = startOf(addDays(to, 1));
  if (firstWhole >= afterWhole) return piecesOf({ from, to }, finer);
  return [
    ...piecesOf({ from, to: addDays(firstWhole, -1) }, finer),
    { grain, from: firstWhole, to: addDays(afterWhole, -1) },
    ...piecesOf({ from: afterWhole, to }, finer),
  ];
}

export function monthsOf({ from, to }: Period): string[] {
  const months: string[] = [];
  for (let month = monthOf(from); month <= to; month = nextMonth(month)) months.push(month);
  return months;
}

export const WRONG_ORDER = "Fra-datoen kan ikke være efter til-datoen.";
const TOO_LONG = "Perioden kan højst være 10 år.";
const MAX_YEARS = 10;

export const lastTwelveMonths = (today: string): Period => ({ from: addDays(addYears(today, -1), 1), to: today });

export const twelveMonthsFrom = (day: string) => addDays(addYears(day, 1), -1);

interface QuickChoice extends Period {
  label: string;
}

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
