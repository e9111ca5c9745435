import { addDays } from "~/text/calendar";

export interface Period {
  from: string;
  to: string;
}

/** Days, thirds of a month (from the 1st, 11th and 21st), and months. */
export type Grain = "D" | "T" | "M";

export interface Piece extends Period {
  grain: Grain;
}

export const monthOf = (day: string) => `${day.slice(0, 7)}-01`;
export const nextMonth = (day: string) => monthOf(addDays(monthOf(day), 31));

const thirdOf = (day: string) =>
  `${day.slice(0, 8)}${day.slice(8) <= "10" ? "01" : day.slice(8) <= "20" ? "11" : "21"}`;

/** Start of the span containing a day, and of the next one. */
const spans: Record<Grain, { startOf(day: string): string; after(day: string): string }> = {
  D: { startOf: (day) => day, after: (day) => addDays(day, 1) },
  // The last third has 8 to 11 days.
  T: { startOf: thirdOf, after: (day) => thirdOf(addDays(thirdOf(day), 11)) },
  M: { startOf: monthOf, after: nextMonth },
};

/** The spans a day is counted in. */
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

/** Months of a period, oldest first. */
export function monthsOf({ from, to }: Period): string[] {
  const months: string[] = [];
  for (let month = monthOf(from); month <= to; month = nextMonth(month)) months.push(month);
  return months;
}
