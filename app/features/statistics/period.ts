import { addDays } from "~/text/dates";

/** Both days are included. */
export interface Period {
  from: string;
  to: string;
}

export interface Piece extends Period {
  grain: "D" | "M";
}

export const monthOf = (day: string) => `${day.slice(0, 7)}-01`;
export const nextMonth = (day: string) => monthOf(addDays(monthOf(day), 31));

/** A period as its whole months and the days at its ends: what has to be read of it, however long it is. */
export function piecesOf({ from, to }: Period): Piece[] {
  const firstWhole = from === monthOf(from) ? from : nextMonth(from);
  const afterWhole = monthOf(addDays(to, 1));
  if (firstWhole >= afterWhole) return from > to ? [] : [{ grain: "D", from, to }];
  const pieces: Piece[] = [
    { grain: "D", from, to: addDays(firstWhole, -1) },
    { grain: "M", from: firstWhole, to: addDays(afterWhole, -1) },
    { grain: "D", from: afterWhole, to },
  ];
  return pieces.filter((piece) => piece.from <= piece.to);
}

/** The months that a period touches, oldest first. */
export function monthsOf({ from, to }: Period): string[] {
  const months: string[] = [];
  for (let month = monthOf(from); month <= to; month = nextMonth(month)) months.push(month);
  return months;
}
