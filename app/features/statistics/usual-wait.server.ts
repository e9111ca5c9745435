import type { Portal } from "~/portal.server";
import { URGENT } from "~/features/referrals/model/referral";
import { addDays } from "~/text/calendar";
import { localDate } from "~/text/dates";
import { daysAt, histogramOf, sizeOf } from "./histogram";
import { countByBucket } from "./sums-store.server";

/** The waits that ended within so many days are the usual ones. */
const LATELY_DAYS = 90;
/** Fewer say nothing of what is usual. */
const ENOUGH_CASES = 20;

/** Whole days from referral to operation. */
export interface UsualWait {
  /** `referral.reference_type`. */
  urgency: number;
  median: number;
  /** What nine of ten did not exceed. */
  ninetiethPercentile: number;
}

/** How long patients have lately waited for their operation, by urgency; left out where fewer than 20 waits ended in the last 90 days. A minute old at most. */
export const readUsualWaits = ({ cache, db }: Pick<Portal, "cache" | "db">, now: Date): Promise<UsualWait[]> =>
  cache.get("usual waits", async () => {
    const today = localDate(now);
    const counts = await countByBucket(db, "toOperation", { from: addDays(today, 1 - LATELY_DAYS), to: today });
    return [0, URGENT].flatMap((urgency) => {
      const ofUrgency = [...counts].filter(([bucket]) => bucket.startsWith(`${urgency}:`));
      const waited = histogramOf(ofUrgency.map(([bucket, n]) => ({ days: Number(bucket.split(":")[1]), n })));
      return sizeOf(waited) < ENOUGH_CASES
        ? []
        : [{ urgency, median: daysAt(waited, 0.5)!, ninetiethPercentile: daysAt(waited, 0.9)! }];
    });
  });
