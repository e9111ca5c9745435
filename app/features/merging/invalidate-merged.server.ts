import type { ChangeContext } from "~/access/operation.server";
import { COUNTS } from "~/lists/read-page.server";

/** After a merge, and after its undoing: lists count anew, and what is chosen from is read anew. */
export function invalidateMerged({ afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => {
    for (const question of [COUNTS, "choices of"]) portal.cache.invalidate(question);
  });
}
