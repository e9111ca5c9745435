import type { ChangeContext } from "~/access/operation.server";
import { COUNTS } from "~/lists/read-page.server";
import { clinics } from "./clinic-list.server";

/** Refreshes counts and choices after a clinic has changed. */
export function invalidateClinics({ afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => portal.cache.invalidate(`${COUNTS} ${clinics.name}`, "choices of"));
}
