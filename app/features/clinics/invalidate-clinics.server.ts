import type { ChangeContext } from "~/access/operation.server";
import { COUNTS } from "~/lists/read-page.server";
import { clinics } from "./clinic-list.server";

/** After a change of a clinic: its list counts anew, and the lists to choose from are read anew. */
export function invalidateClinics({ afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => portal.cache.invalidate(`${COUNTS} ${clinics.name}`, "choices of"));
}
