import { z } from "zod";
import { lookUp } from "~/access/operation.server";
import { paths } from "~/paths";
import { days, periodOf } from "./list-statistics.server";

/** 'Export til CSV': leads to the file of the list that is shown. A day that is left out is that of the period that is shown. */
export const exportStatistics = lookUp({
  name: "exportStatistics",
  permission: "statistics.read",
  input: days.and(
    z.object({
      dataType: z.coerce.number().int().min(0).max(1).catch(0),
      shownFrom: z.iso.date().catch(""),
      shownTo: z.iso.date().catch(""),
    }),
  ),
  async run({ now }, { dateFrom, dateTo, dataType, shownFrom, shownTo }) {
    const { from, to } = periodOf(
      { dateFrom: dateFrom ?? (shownFrom || null), dateTo: dateTo ?? (shownTo || null) },
      now,
    );
    return { to: paths.statisticsList(dataType, from, to) };
  },
});
