import { z } from "zod";
import { read } from "~/access/operation.server";
import { findSetting } from "~/features/settings/read-setting.server";
import { startOfDay } from "~/text/copenhagen.server";
import { localDate, localHour } from "~/text/dates";
import { countWaitingLetters } from "~/features/delivery/letter-queue.server";
import { hasMadeSince } from "./letter-batch-store.server";

/** Copenhagen hour of the automatic batch; null for manual batches only. */
export const BATCH_HOUR = "letterBatchHour";

/** Whether the day's batch is due: its hour has come, none was made today, and letters wait. */
export const readBatchDue = read({
  name: "readBatchDue",
  permission: "system",
  input: z.object({}),
  async run({ db, portal, now }) {
    const hour = await findSetting(db, BATCH_HOUR);
    if (portal.print.mode !== "batch" || !hour || localHour(now) < Number(hour)) return { isDue: false };
    const isMade = await hasMadeSince(db, startOfDay(localDate(now)));
    return { isDue: !isMade && (await countWaitingLetters(db)) > 0 };
  },
});
