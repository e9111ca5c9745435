import { z } from "zod";
import { localDate } from "~/text/dates";

/** A day as `YYYY-MM-DD`, or a moment with its zone, which is the day it is in Copenhagen. Read as `YYYY-MM-DD`. */
export const isoDay = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "Skriv datoen som ISO 8601, fx 2026-12-01.",
});

export const dayOf = (sent: string): string => (sent.length === 10 ? sent : localDate(new Date(sent)));
