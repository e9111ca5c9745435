import { z } from "zod";
import { read } from "~/access/operation.server";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { COUNTS } from "~/lists/read-page.server";
import { localDate } from "~/text/dates";
import { drawBars, type Drawing, drawLines, drawRows } from "./drawing.server";
import { countPageViews, countTypes } from "./store.server";
import type { PlotName } from "./plot-tables";
import { type Plots, readPlots } from "./plots.server";
import { lastTwelveMonths, quickChoices, readPeriod } from "./requested-period";
import { listOperations, rankReferrers } from "./statistics-lists.server";
import { findNextReferral } from "./sums/store.server";

const ends = ["toOperation", "toCallUp", "toTriage"] as const;

/** Geometry of all plots; texts are added by the page. */
function drawPlots({ referrals, waits, open, stopped, messages }: Plots): Record<PlotName, Drawing> {
  const lines = (which: "median" | "ninetiethPercentile") =>
    ends.map((end) => ({
      values: waits.months.map((month) => month[end][which]),
      isDashed: which === "ninetiethPercentile",
    }));
  return {
    henvisninger: drawBars(referrals.months.map(({ normal, urgent }) => ({ values: [normal, urgent] }))),
    ventetider: drawLines(waits.months.length, [...lines("median"), ...lines("ninetiethPercentile")]),
    aabne: drawRows(
      open.map(({ under7, to30, over30 }) => [under7, to30, over30]),
      { isShare: false },
    ),
    afbud: drawBars(stopped.months.map(({ cancelled, notReached }) => ({ values: [cancelled, notReached] }))),
    beskeder: drawRows(
      messages.map(({ sent, notRegistered, failed, unknown }) => [sent, notRegistered, failed, unknown]),
      { isShare: true },
    ),
  };
}

const PAGE_SIZE = 20;

const text = z
  .string()
  .max(100)
  .nullish()
  .transform((value) => value ?? "");
const wholeNumber = z.coerce.number().int().positive().max(1_000_000);

const pagesOf = ({ groupCount }: { groupCount: number }) => Math.max(1, Math.ceil(groupCount / PAGE_SIZE));

/** The page of statistics: plots and one list. Unreadable days give an error and the default period. */
export const readStatistics = read({
  name: "readStatistics",
  permission: "statistics.read",
  input: z.object({
    from: text,
    to: text,
    /** 0 treatments, 1 referrers. */
    dataType: z.coerce.number().int().min(0).max(1).catch(0),
    page: wholeNumber.catch(1),
    openId: z.coerce.number().int().min(0).nullish().catch(null),
  }),
  async run({ db, portal, now }, { from, to, dataType, page, openId }) {
    const today = localDate(now);
    const { period, errors } = readPeriod({ from, to }, lastTwelveMonths(today));
    const listAt = async (offset: number) => {
      const input = { offset, limit: PAGE_SIZE };
      return dataType === 0
        ? { dataType: 0 as const, ...(await listOperations(db, period, input)) }
        : { dataType: 1 as const, ...(await rankReferrers(db, period, input)) };
    };
    const measure = dataType === 0 ? "operation" : "sent";
    const [asked, plots, settings, { total, types }, pageViews, nextReferral] = await Promise.all([
      listAt((page - 1) * PAGE_SIZE),
      readPlots(db, period, today),
      cachedStatusSettings(portal),
      portal.cache.getIfSlow(`${COUNTS} ${measure} ${period.from} ${period.to}`, () => countTypes(db, measure, period)),
      countPageViews(db, period),
      findNextReferral(db),
    ]);
    // An old link may point past the last page.
    const isBeyond = page > 1 && asked.rows.length === 0;
    const pageCount = pagesOf(isBeyond ? await listAt(0) : asked);
    const list = isBeyond ? await listAt((pageCount - 1) * PAGE_SIZE) : asked;
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
      page: Math.min(page, pageCount),
      openId: openId ?? null,
      pageViews,
      pageCount,
      isBeingCounted: nextReferral !== 0,
    };
  },
});
