import type { ChangeContext } from "~/access/operation.server";
import { COUNTS } from "~/lists/read-page.server";

/** Refreshes counts and choices after a merge or its undo. */
export function invalidateMerged({ afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => portal.cache.invalidate(COUNTS, "choices of"));
}
