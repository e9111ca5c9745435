/**
 * Moments are stored in UTC as `YYYY-MM-DD HH:MM:SS.mmm` and shown in Europe/Copenhagen, 24 hours; dates are `YYYY-MM-DD` inside
 * and dd.mm.yyyy on screen. What is shown is made of Intl's numbers in English, which an old browser writes as the server does
 * (docs/decisions/0075).
 */
const parts = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Copenhagen",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** `Date` to the stored form. */
export function toMoment(date: Date): string {
  return date.toISOString().replace("T", " ").replace("Z", "");
}

/** The stored form, or ISO 8601 as operations answer it, to `Date`. */
export function fromMoment(moment: string): Date {
  return new Date(moment.endsWith("Z") ? moment : isoMoment(moment));
}

/** The stored form as ISO 8601, `2026-12-01T09:00:00.000Z`. */
export const isoMoment = (moment: string) => `${moment.replace(" ", "T")}Z`;

interface LocalParts {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
}

/** Intl.DateTimeFormat is slow, and a list shows the same moments again and again: the formatter's answers are cached. */
const known = new Map<number, LocalParts>();
const MAX_CACHED = 5000;

function local(date: Date): LocalParts {
  const minute = Math.floor(date.getTime() / 60_000);
  const before = known.get(minute);
  if (before) return before;
  const found: Record<string, string> = {};
  for (const part of parts.formatToParts(date)) found[part.type] = part.value;
  if (known.size >= MAX_CACHED) known.clear();
  known.set(minute, found as unknown as LocalParts);
  return found as unknown as LocalParts;
}

/** The calendar date in Copenhagen, `YYYY-MM-DD`. */
export function localDate(date: Date): string {
  const p = local(date);
  return `${p.year}-${p.month}-${p.day}`;
}

/** The time of day in Copenhagen, `HH:MM`. */
export function localTime(date: Date): string {
  const p = local(date);
  return `${p.hour}:${p.minute}`;
}

/** The hour in Copenhagen, 0 to 23. */
export const localHour = (date: Date) => Number(local(date).hour);

/** A moment as `dd.mm.yyyy`. */
export function showDate(moment: string): string {
  return showDay(localDate(fromMoment(moment)));
}

/** A moment as `dd.mm.yyyy kl. HH.MM`. */
export function showDateTime(moment: string): string {
  const p = local(fromMoment(moment));
  return `${p.day}.${p.month}.${p.year} kl. ${p.hour}.${p.minute}`;
}

/** A moment as `HH.MM`. */
export function showTime(moment: string): string {
  const p = local(fromMoment(moment));
  return `${p.hour}.${p.minute}`;
}

/** A date `YYYY-MM-DD` as `dd.mm.yyyy`. */
export function showDay(date: string): string {
  return `${date.slice(8, 10)}.${date.slice(5, 7)}.${date.slice(0, 4)}`;
}

const monthNames = [
  "januar",
  "februar",
  "marts",
  "april",
  "maj",
  "juni",
  "juli",
  "august",
  "september",
  "oktober",
  "november",
  "december",
];

/** A month `YYYY-MM` as `november 2026`. */
export const showMonth = (month: string) => `${monthNames[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`;

/** A month `YYYY-MM` as `nov`. */
export const shortMonth = (month: string) => monthNames[Number(month.slice(5, 7)) - 1]!.slice(0, 3);
