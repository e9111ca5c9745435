import type { Person } from "~/access/actor";
import type { Portal } from "~/portal.server";
import { findMassChange } from "~/features/referrals/store/mass-change-store.server";
import { visibleStatus } from "~/features/referrals/model/status";

/** Notice of a mass change: what was changed, skipped, undone; null for another person's. */
export async function readMassChange(portal: Pick<Portal, "db">, person: Person, id: number) {
  const done = await findMassChange(portal.db, person.id, id);
  if (!done) return null;
  return {
    id,
    changed: done.changed,
    status: visibleStatus(done.status, person),
    leftOut: done.left_out === "" ? [] : done.left_out.split(",").map(Number),
    isUndone: done.undone_at !== null,
  };
}
