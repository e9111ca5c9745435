import type { ChangeContext } from "~/access/operation.server";
import { COUNTS } from "~/lists/read-page.server";

/** After a merge, and after its undoing: lists count anew, and what is chosen from is read anew. */
export function invalidateMerged({ afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => portal.cache.invalidate(COUNTS, "choices of"));
}
