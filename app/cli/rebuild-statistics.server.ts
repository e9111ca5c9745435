import { execute, plainInput } from "~/access/operation.server";
import { beginRecount, finishRecount } from "~/features/statistics/sums/rebuild-sums.server";
import { systemCaller } from "~/jobs/system-caller";
import type { Portal } from "~/portal.server";

/**
 * `rebuild-statistics`: counts every referral anew, a batch to a transaction, while the portal runs. One that was stopped goes on where it
 * was, when the command is run again or the worker comes to it.
 */
export async function rebuildStatistics(portal: Portal): Promise<void> {
  const caller = systemCaller("rebuild-statistics");
  const started = Date.now();
  await execute(portal, caller, beginRecount, plainInput({}));
  const counted = await finishRecount(portal, caller);
  console.log(`${counted} henvisninger er talt op på ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}
