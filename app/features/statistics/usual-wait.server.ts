import type { Portal } from "~/portal.server";
import { URGENT } from "~/features/referrals/model/referral";
import { addDays } from "~/text/calendar";
import { localDate } from "~/text/dates";
import { daysAt, histogramOf, sizeOf } from "./histogram";
import { countByBucket } from "./store.server";

const LATELY_DAYS = 90;
const ENOUGH_CASES = 20;

export interface UsualWait {
  /** `referral.reference_type`. */
  urgency: number;
  median: number;
  ninetiethPercentile: number;
}

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
