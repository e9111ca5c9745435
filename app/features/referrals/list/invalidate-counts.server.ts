import type { ChangeContext } from "~/access/operation.server";
import { COUNTS } from "~/lists/read-page.server";
import { CALL_UP_STATS } from "./call-up-stats.server";
import { QUEUES } from "./read-queues.server";

/** After a change of which referrals or drafts there are, or of their statuses: lists and queues count anew. */
export function invalidateCounts({
  afterCommit,
  portal: { cache },
}: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => cache.invalidate(QUEUES, CALL_UP_STATS, COUNTS));
}
