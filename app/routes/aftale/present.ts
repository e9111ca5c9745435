import { showDateTime, showDay } from "~/text/dates";

const longDay = new Intl.DateTimeFormat("da-DK", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** `Torsdag 19. november 2026`. @param moment `YYYY-MM-DD HH:MM` in Copenhagen */
export function dayInWords(moment: string): string {
  const words = longDay.format(new Date(`${moment.slice(0, 10)}T12:00:00Z`)).replace(" den ", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `kl. 08.15, regn med 45 minutter`. */
export function hourInWords(moment: string, durationMinutes: number | null): string {
  const hour = `kl. ${moment.slice(11).replace(":", ".")}`;
  return durationMinutes === null ? hour : `${hour}, regn med ${durationMinutes} minutter`;
}

/** The last day of the link. */
export const lastDay = (moment: string) => showDay(moment.slice(0, 10));

/** Until when an offer stands: `22.11.2026 kl. 15.00`. */
export const deadline = (expiresAt: string) => showDateTime(expiresAt);

export const mapOf = (address: string, place: string) =>
  `https://www.openstreetmap.org/search?query=${encodeURIComponent(`${address}, ${place}`)}`;
