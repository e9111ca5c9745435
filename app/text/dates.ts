/**
 * A moment is ISO 8601 text in UTC with milliseconds, `2026-12-01T09:00:00.000Z`, in the database as in the answers; it is
 * shown in Europe/Copenhagen. Dates are `YYYY-MM-DD`, shown as dd.mm.yyyy. Display uses Intl's English digits, which old browsers format like the server (docs/decisions/0075).
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

export const toMoment = (date: Date) => date.toISOString();

interface LocalParts {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
}

/** Cached, because Intl.DateTimeFormat is slow and lists repeat moments. */
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

/** Copenhagen date, `YYYY-MM-DD`. */
export function localDate(date: Date): string {
  const p = local(date);
  return `${p.year}-${p.month}-${p.day}`;
}

/** Copenhagen time, `HH:MM`. */
export function localTime(date: Date): string {
  const p = local(date);
  return `${p.hour}:${p.minute}`;
}

export const localHour = (date: Date) => Number(local(date).hour);

export function showDate(moment: string): string {
  return showDay(localDate(new Date(moment)));
}

const dateTimeWith = (between: string) => (moment: string) => {
  const p = local(new Date(moment));
  return `${p.day}.${p.month}.${p.year}${between}${p.hour}.${p.minute}`;
};

/** In sentences on screen: no line ends between 'kl.' and the time. */
export const showDateTime = dateTimeWith(" kl.\u00a0");

export const showShortDateTime = dateTimeWith(" ");

/** In texts that leave the portal: a no-break space would make an SMS twice as long. */
export const writeDateTime = dateTimeWith(" kl. ");

/** `10:15` as `kl. 10.15`, on screen. */
export const atTime = (time: string) => `kl.\u00a0${time.replace(":", ".")}`;

export function showTime(moment: string): string {
  const p = local(new Date(moment));
  return `${p.hour}.${p.minute}`;
}

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

export const showMonth = (month: string) => `${monthNames[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`;

export const showDayInWords = (date: string) => `${Number(date.slice(8, 10))}. ${showMonth(date)}`;

export const shortMonth = (month: string) => monthNames[Number(month.slice(5, 7)) - 1]!.slice(0, 3);
