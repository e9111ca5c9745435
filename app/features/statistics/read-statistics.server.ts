import { z } from "zod";
import { read } from "~/access/operation.server";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { COUNTS } from "~/lists/read-page.server";
import { localDate } from "~/text/dates";
import { lastTwelveMonths, quickChoices, readPeriod } from "./requested-period";
import { drawPlots } from "./draw-plots.server";
import { countPageViews } from "./page-view-store.server";
import { readPlots } from "./plots.server";
import { listOperations, rankReferrers } from "./statistics-lists.server";
import { countTypes } from "./sums-store.server";
import { findNextReferral } from "./sums/recount-store.server";

export const PAGE_SIZE = 20;

const text = z
  .string()
  .max(100)
  .nullish()
  .transform((value) => value ?? "");
const wholeNumber = z.coerce.number().int().positive().max(1_000_000);

/** The page of statistics: its plots and one of its lists, for the days asked for. What cannot be read of the days is told, and the standard shown. */
export const readStatistics = read({
  name: "readStatistics",
  permission: "statistics.read",
  input: z.object({
    from: text,
    to: text,
    /** 0 treatments, 1 doctors. */
    dataType: z.coerce.number().int().min(0).max(1).catch(0),
    page: wholeNumber.catch(1),
    openId: z.coerce.number().int().min(0).nullish().catch(null),
  }),
  async run({ db, portal, now }, { from, to, dataType, page, openId }) {
    const today = localDate(now);
    const { period, errors } = readPeriod({ from, to }, lastTwelveMonths(today));
    const input = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
    const measure = dataType === 0 ? "operation" : "sent";
    const [list, plots, settings, { total, types }, pageViews, nextReferral] = await Promise.all([
      dataType === 0
        ? listOperations(db, period, input).then((ranked) => ({ dataType: 0 as const, ...ranked }))
        : rankReferrers(db, period, input).then((ranked) => ({ dataType: 1 as const, ...ranked })),
      readPlots(db, period, today),
      cachedStatusSettings(portal),
      portal.cache.getIfSlow(`${COUNTS} ${measure} ${period.from} ${period.to}`, () => countTypes(db, measure, period)),
      countPageViews(db, period),
      findNextReferral(db),
    ]);
    return {
      today,
      period,
      typed: { from, to },
      errors,
      quickChoices: quickChoices(today),
      plots,
      drawings: drawPlots(plots),
      ...settings,
      list,
      total,
      typeCount: types,
      page,
      openId: openId ?? null,
      pageViews,
      pageCount: Math.max(1, Math.ceil(list.groupCount / PAGE_SIZE)),
      isBeingCounted: nextReferral !== 0,
    };
  },
});
