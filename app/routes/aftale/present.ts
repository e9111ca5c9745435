import { atTime, showDateTime, showDay } from "~/text/dates";

const longDay = new Intl.DateTimeFormat("da-DK", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

export function dayInWords(moment: string): string {
  const words = longDay.format(new Date(`${moment.slice(0, 10)}T12:00:00Z`)).replace(" den ", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** E.g. `kl. 08.15, regn med 45 minutter`. */
export function hourInWords(moment: string, durationMinutes: number | null): string {
  const hour = atTime(moment.slice(11));
  return durationMinutes === null ? hour : `${hour}, regn med ${durationMinutes} minutter`;
}

export const lastDay = (moment: string) => showDay(moment.slice(0, 10));

export const deadline = (expiresAt: string) => showDateTime(expiresAt);

export const mapOf = (address: string, place: string) =>
  `https://www.openstreetmap.org/search?query=${encodeURIComponent(`${address}, ${place}`)}`;
