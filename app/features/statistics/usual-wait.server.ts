import type { Portal } from "~/portal.server";
import { URGENT } from "~/features/referrals/model/referral";
import { addDays } from "~/text/calendar";
import { localDate } from "~/text/dates";
import { countByBucket } from "./store.server";
import type { UsualWait } from "./usual-wait-text";

const LATELY_DAYS = 90;
const ENOUGH_CASES = 20;

/** Recent waits by urgency; left out with fewer than 20 cases in 90 days. Cached for a minute. */
export const readUsualWaits = (
  { cache, db }: Pick<Portal, "cache" | "db">,
  now: Date,
  measure: "toTriage" | "toOperation" = "toOperation",
): Promise<UsualWait[]> =>
  cache.get(`usual waits ${measure}`, async () => {
    const today = localDate(now);
    const counts = await countByBucket(db, measure, { from: addDays(today, 1 - LATELY_DAYS), to: today });
    return [0, URGENT].flatMap((urgency) => {
      const ofUrgency = [...counts].filter(([bucket]) => bucket.startsWith(`${urgency}:`));
      const waited = histogramOf(ofUrgency.map(([bucket, n]) => ({ days: Number(bucket.split(":")[1]), n })));
      return sizeOf(waited) < ENOUGH_CASES
        ? []
        : [{ urgency, median: daysAt(waited, 0.5)!, ninetiethPercentile: daysAt(waited, 0.9)! }];
    });
  });

export type Histogram = ReadonlyMap<number, number>;

export function histogramOf(waits: { days: number; n: number }[]): Histogram {
  const histogram = new Map<number, number>();
  for (const { days, n } of waits) histogram.set(days, (histogram.get(days) ?? 0) + n);
  return histogram;
}

const sizeOf = (histogram: Histogram) => [...histogram.values()].reduce((sum, n) => sum + n, 0);

/** The number of days not exceeded by a share; 0.5 is the median. Null if empty. */
export function daysAt(histogram: Histogram, share: number): number | null {
  const wanted = sizeOf(histogram) * share;
  let counted = 0;
  for (const [days, n] of [...histogram].sort(([a], [b]) => a - b)) {
    counted += n;
    if (counted > 0 && counted >= wanted) return days;
  }
  return null;
}
