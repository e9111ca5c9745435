import { z } from "zod";
import { read } from "~/access/operation.server";
import { localDate } from "~/text/dates";
import { optionalDay } from "~/text/fields.server";
import { lastTwelveMonths, twelveMonthsFrom, WRONG_ORDER } from "./requested-period";
import { EVERYTHING, listOperations, rankReferrers } from "./statistics-lists.server";
import type { Period } from "./period";

/** Both inclusive; defaults to the last twelve months. */
export const days = z
  .object({ dateFrom: optionalDay, dateTo: optionalDay })
  .superRefine(({ dateFrom, dateTo }, context) => {
    if (dateFrom !== null && dateTo !== null && dateFrom > dateTo)
      context.addIssue({ code: "custom", path: ["dateFrom"], message: WRONG_ORDER });
  });

/** The requested period. A missing end defaults to the last twelve months, or twelve months from the other end. */
export function periodOf({ dateFrom, dateTo }: z.output<typeof days>, now: Date): Period {
  const standard = lastTwelveMonths(localDate(now));
  const to = dateTo ?? (dateFrom !== null && dateFrom > standard.to ? twelveMonthsFrom(dateFrom) : standard.to);
  const from = dateFrom ?? (to < standard.from ? lastTwelveMonths(to).from : standard.from);
  return { from, to };
}

export const listOperationStatistics = read({
  name: "listOperationStatistics",
  permission: "statistics.read",
  input: days,
  async run({ db, now }, input) {
    return { rows: (await listOperations(db, periodOf(input, now), EVERYTHING)).rows };
  },
});

/** Referrers by number of referrals (GET /Statistics/doctors), with counts per treatment type. */
export const listDoctorStatistics = read({
  name: "listDoctorStatistics",
  permission: "statistics.read",
  input: days,
  async run({ db, now }, input) {
    const { rows, types } = await rankReferrers(db, periodOf(input, now), EVERYTHING);
    return { rows, types };
  },
});
