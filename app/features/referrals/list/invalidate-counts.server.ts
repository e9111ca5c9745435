import type { ChangeContext } from "~/access/operation.server";
import { COUNTS } from "~/lists/read-page.server";
import { CALL_UP_STATS } from "./call-up-stats.server";
import { QUEUES } from "./read-queues.server";

/** Refreshes counts of lists and queues after referrals, drafts or statuses have changed. */
export function invalidateCounts({
  afterCommit,
  portal: { cache },
}: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => cache.invalidate(QUEUES, CALL_UP_STATS, COUNTS));
}
