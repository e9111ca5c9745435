import { dayInWords } from "~/features/referrals/model/patient-words";
import { atTime, showDateTime, showDay } from "~/text/dates";

/** At the beginning of a line. */
export function dayAsHead(moment: string): string {
  const words = dayInWords(moment);
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
