import { addYears } from "~/text/calendar";
import type { DbOrTx } from "~db/connection.server";
import { addDays } from "~/text/calendar";
import { channelNames } from "~/features/delivery/delivery-outcome";
import { statuses } from "~/features/referrals/model/status";
import { URGENT } from "~/features/referrals/model/referral";
import { countByBucket, countByMonth, countWaitsByMonth } from "./store.server";
import type { Measure } from "./sums/contribution";
import { daysAt, type Histogram, histogramOf } from "./histogram";
import { monthsOf, type Period } from "./period";

type Waits = Awaited<ReturnType<typeof countWaitsByMonth>>;

const waits = ["toTriage", "toCallUp", "toOperation"] as const satisfies readonly Measure[];

/** Median and 90th percentile of the wait in days; null without cases. */
const waitOf = (waited: Histogram) => ({ median: daysAt(waited, 0.5), ninetiethPercentile: daysAt(waited, 0.9) });

/** Data of all plots. Open referrals are by age at `today`, whatever the period. */
export async function readPlots(db: DbOrTx, period: Period, today: string) {
  const before = { from: addYears(period.from, -1), to: addYears(period.to, -1) };
  const [sums, waited, sentBefore, open, messages] = await Promise.all([
    countByMonth(db, ["urgency", "stopped"], period),
    countWaitsByMonth(db, [...waits], period),
    countByBucket(db, "urgency", before),
    readOpen(db, today),
    readMessages(db, period),
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
  };
}

export type Plots = Awaited<ReturnType<typeof readPlots>>;

function waitsOf(waited: Waits) {
  const of = (measure: Measure) => waitOf(histogramOf(waited.filter((row) => row.measure === measure)));
  return { toTriage: of("toTriage"), toCallUp: of("toCallUp"), toOperation: of("toOperation") };
}

const EVER = "2000-01-01";

/** Open referrals by status and age, in status order. */
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
