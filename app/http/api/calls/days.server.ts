import { z } from "zod";
import { localDate } from "~/text/dates";

/** A day `YYYY-MM-DD`, or a moment with zone, converted to its Copenhagen day. */
export const isoDay = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "Skriv datoen som ISO 8601, fx 2026-12-01.",
});

export const dayOf = (sent: string): string => (sent.length === 10 ? sent : localDate(new Date(sent)));
