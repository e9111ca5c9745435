import { execute, plainInput } from "~/access/operation.server";
import { beginRecount, finishRecount } from "~/features/statistics/sums/rebuild-sums.server";
import { systemCaller } from "~/jobs/system-caller";
import type { Portal } from "~/portal.server";

/**
 * `rebuild-statistics`: recounts every referral in batches while the portal runs. An interrupted run continues when the
 * command or the worker runs again.
 */
export async function rebuildStatistics(portal: Portal): Promise<void> {
  const caller = systemCaller("rebuild-statistics");
  const started = Date.now();
  await execute(portal, caller, beginRecount, plainInput({}));
  const counted = await finishRecount(portal, caller);
  console.log(`${counted} henvisninger er talt op på ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}
