import { addDays, addYears } from "~/text/calendar";
import type { DbOrTx } from "~db/connection.server";
import { channelNames } from "~/features/delivery/delivery-outcome";
import { statuses } from "~/features/referrals/model/statuses";
import { URGENT } from "~/features/referrals/model/referral";
import {
  countByBucket,
  countByMonth,
  countPageViews,
  countSentBy,
  countTypes,
  countWaitsByMonth,
  EVER,
  findAllTypes,
  findNames,
  rank,
} from "./store.server";
import type { Measure } from "./sums/contribution";
import { daysAt, type Histogram, histogramOf } from "./usual-wait.server";
import { lastTwelveMonths, monthsOf, type Period, quickChoices, readPeriod } from "./period";
import { z } from "zod";
import { read, wholeNumber } from "~/access/operation.server";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { COUNTS } from "~/lists/read-page.server";
import { localDate } from "~/text/dates";
import { drawBars, type Drawing, drawLines, drawRows } from "./drawing.server";
import type { PlotName } from "./plot-tables";
import { readMissingMaterial, readSilentWeeks } from "./never-silent.server";
import { findNextReferral } from "./sums/store.server";

type Waits = Awaited<ReturnType<typeof countWaitsByMonth>>;

const waitMeasures = ["toTriage", "toCallUp", "toOperation"] as const satisfies readonly Measure[];

const waitOf = (waited: Histogram) => ({ median: daysAt(waited, 0.5), ninetiethPercentile: daysAt(waited, 0.9) });

/** Data of all plots. Open referrals are by age at `today`, whatever the period. */
export async function readPlots(db: DbOrTx, period: Period, today: string) {
  const before = { from: addYears(period.from, -1), to: addYears(period.to, -1) };
  const [sums, waited, sentBefore, open, messages, silent, material] = await Promise.all([
    countByMonth(db, ["urgency", "stopped"], period),
    countWaitsByMonth(db, [...waitMeasures], period),
    countByBucket(db, "urgency", before),
    readOpen(db, today),
    readMessages(db, period),
    readSilentWeeks(db, period, today),
    readMissingMaterial(db, period),
  ]);
  const months = monthsOf(period).map((start) => start.slice(0, 7));
  const count = (measure: Measure, bucket: string, month: string) =>
    sums.find((row) => row.measure === measure && row.bucket === bucket && row.month === month)?.n ?? 0;
  return {
    referrals: {
      months: months.map((month) => ({
        month,
        urgent: count("urgency", String(URGENT), month),
        normal: count("urgency", "0", month),
      })),
      yearBefore: [...sentBefore.values()].reduce((sum, n) => sum + n, 0),
    },
    waits: {
      months: months.map((month) => ({
        month,
        ...waitsOf(waited.filter((row) => row.month === month)),
      })),
      all: waitsOf(waited),
    },
    open,
    stopped: {
      months: months.map((month) => ({
        month,
        cancelled: count("stopped", "cancelled", month),
        notReached: count("stopped", "notReached", month),
      })),
    },
    messages,
    silent,
    material,
  };
}

export type Plots = Awaited<ReturnType<typeof readPlots>>;

function waitsOf(waited: Waits) {
  const of = (measure: Measure) => waitOf(histogramOf(waited.filter((row) => row.measure === measure)));
  return { toTriage: of("toTriage"), toCallUp: of("toCallUp"), toOperation: of("toOperation") };
}

async function readOpen(db: DbOrTx, today: string) {
  const since = (from: string, to: string) => countByBucket(db, "open", { from, to });
  const [under7, to30, over30] = await Promise.all([
    since(addDays(today, -6), today),
    since(addDays(today, -30), addDays(today, -7)),
    since(EVER, addDays(today, -31)),
  ]);
  return statuses
    .map(({ value }) => ({
      status: value,
      under7: under7.get(String(value)) ?? 0,
      to30: to30.get(String(value)) ?? 0,
      over30: over30.get(String(value)) ?? 0,
    }))
    .filter((row) => row.under7 + row.to30 + row.over30 > 0);
}

async function readMessages(db: DbOrTx, period: Period) {
  const counts = await countByBucket(db, "message", period);
  return channelNames
    .map((channel) => {
      const of = (outcome: string) => counts.get(`${channel}:${outcome}`) ?? 0;
      return {
        channel,
        sent: of("sent"),
        notRegistered: of("notRegistered"),
        failed: of("failed"),
        unknown: of("unknown"),
      };
    })
    .filter((row) => row.sent + row.notRegistered + row.failed + row.unknown > 0);
}

interface Page {
  offset: number;
  limit: number;
}

export const EVERYTHING: Page = { offset: 0, limit: 1_000_000 };

export interface OperationRow {
  place: number;
  treatmentType: string | null;
  count: number;
  referrer: string | null;
  clinic: string | null;
  lastDay: string;
}

/** Treatments by type, referrer and clinic, most frequent first; of one type if given. */
export async function listOperations(db: DbOrTx, period: Period, page: Page, treatmentTypeId: number | null = null) {
  const dimensions = ["treatmentTypeId", "referrerId", "clinicId"] as const;
  const { rows, groupCount } = await rank(db, "operation", [...dimensions], period, page, treatmentTypeId);
  const types = await typeNames(db);
  const names = await namesOf(db, rows);
  return {
    groupCount,
    rows: rows.map((row, index): OperationRow => ({
      place: page.offset + index + 1,
      treatmentType: types.get(row.treatmentTypeId) ?? null,
      count: row.n,
      referrer: names.referrers.get(row.referrerId) ?? null,
      clinic: names.clinics.get(row.clinicId) ?? null,
      lastDay: row.lastDay,
    })),
  };
}

const typeNames = async (db: DbOrTx) => new Map((await findAllTypes(db)).map(({ id, name }) => [id, name]));

export async function rankReferrers(db: DbOrTx, period: Period, page: Page) {
  const { rows, groupCount } = await rank(db, "sentBy", ["referrerId"], period, page);
  const sent = await countSentBy(db, page === EVERYTHING ? null : rows.map((row) => row.referrerId), period);
  const used = new Set(sent.map((row) => row.treatmentTypeId));
  const types = (await findAllTypes(db)).filter(({ id, deletedAt }) => deletedAt === null || used.has(id));
  const names = await namesOf(db, sent);
  const byReferrer = new Map<number, typeof sent>();
  for (const row of sent) byReferrer.set(row.referrerId, [...(byReferrer.get(row.referrerId) ?? []), row]);
  const sumBy = <K extends "clinicId" | "treatmentTypeId">(id: number, key: K) => {
    const sums = new Map<number, number>();
    for (const row of byReferrer.get(id) ?? []) sums.set(row[key], (sums.get(row[key]) ?? 0) + row.n);
    return sums;
  };
  return {
    groupCount,
    types: types.map(({ id, name }) => ({ id, name })),
    rows: rows.map((row, index) => {
      const counts = sumBy(row.referrerId, "treatmentTypeId");
      const clinics = [...sumBy(row.referrerId, "clinicId")].sort(([, a], [, b]) => b - a);
      return {
        id: row.referrerId,
        place: page.offset + index + 1,
        referrer: names.referrers.get(row.referrerId) ?? null,
        clinics: clinics.flatMap(([id]) => names.clinics.get(id) ?? []),
        count: row.n,
        lastDay: row.lastDay,
        countsByType: types.map(({ id }) => counts.get(id) ?? 0),
      };
    }),
  };
}

const namesOf = (db: DbOrTx, rows: { referrerId: number; clinicId: number }[]) =>
  findNames(db, { referrers: rows.map((row) => row.referrerId), clinics: rows.map((row) => row.clinicId) });

const ends = ["toOperation", "toCallUp", "toTriage"] as const;

function drawPlots({ referrals, waits, open, stopped, messages, silent }: Plots): Record<PlotName, Drawing> {
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
    tavse: drawLines(silent.length, [
      { values: silent.map((week) => week.silent) },
      { values: silent.map(({ stillSilent }) => stillSilent) },
    ]),
  };
}

const PAGE_SIZE = 20;
const CLINICS_SHOWN = 20;

const text = z
  .string()
  .max(100)
  .nullish()
  .transform((value) => value ?? "");
const pageNumber = wholeNumber.positive().max(1_000_000);

const pagesOf = ({ groupCount }: { groupCount: number }) => Math.max(1, Math.ceil(groupCount / PAGE_SIZE));

/** The page of statistics: plots and one list. Unreadable days give an error and the default period. */
export const readStatistics = read({
  name: "readStatistics",
  permission: "statistics.read",
  input: z.object({
    from: text,
    to: text,
    /** 0 treatments, whose types open; 1 referrers. */
    dataType: wholeNumber.min(0).max(1).catch(0),
    page: pageNumber.catch(1),
    openId: wholeNumber.min(0).nullish().catch(null),
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
    const [asked, plots, settings, types, names, opened, pageViews, nextReferral] = await Promise.all([
      listAt((page - 1) * PAGE_SIZE),
      readPlots(db, period, today),
      cachedStatusSettings(portal),
      portal.cache.getIfSlow(`${COUNTS} ${measure} ${period.from} ${period.to}`, () => countTypes(db, measure, period)),
      typeNames(db),
      dataType === 0 && openId != null ? listOperations(db, period, { offset: 0, limit: PAGE_SIZE }, openId) : null,
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
      plots: { ...plots, material: plots.material.slice(0, CLINICS_SHOWN) },
      moreClinics: Math.max(0, plots.material.length - CLINICS_SHOWN),
      drawings: drawPlots(plots),
      ...settings,
      list,
      total: types.reduce((sum, { n }) => sum + n, 0),
      types: types.map((type) => ({ ...type, name: names.get(type.id) ?? null })),
      openType: opened,
      page: Math.min(page, pageCount),
      openId: openId ?? null,
      pageViews,
      pageCount,
      isBeingCounted: nextReferral !== 0,
    };
  },
});
