import { z } from "zod";
import { lookUp } from "~/access/operation.server";
import { paths } from "~/paths";
import { optionalDay } from "~/text/fields.server";
import { WRONG_ORDER } from "./requested-period";
import { periodOf } from "./list-statistics.server";

/** 'Export til CSV': redirects to the file of the list shown. A missing day is that of the period shown. */
export const exportStatistics = lookUp({
  name: "exportStatistics",
  permission: "statistics.read",
  input: z
    .object({
      dateFrom: optionalDay,
      dateTo: optionalDay,
      dataType: z.coerce.number().int().min(0).max(1).catch(0),
      shownFrom: z.iso.date().nullable().catch(null),
      shownTo: z.iso.date().nullable().catch(null),
    })
    .transform(({ dateFrom, dateTo, dataType, shownFrom, shownTo }, context) => {
      const asked = { dateFrom: dateFrom ?? shownFrom, dateTo: dateTo ?? shownTo };
      if (asked.dateFrom !== null && asked.dateTo !== null && asked.dateFrom > asked.dateTo)
        context.addIssue({ code: "custom", path: [dateFrom === null ? "dateTo" : "dateFrom"], message: WRONG_ORDER });
      return { ...asked, dataType };
    }),
  async run({ now }, { dataType, ...asked }) {
    const { from, to } = periodOf(asked, now);
    return { to: paths.statisticsList(dataType, from, to) };
  },
});
