import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { endKeysOfClinics, endKeysOfUser } from "~/access/api-key-store.server";
import { removeAddressesOf } from "~/access/known-address-store.server";
import { endAccessOf } from "~/features/accounts/account-administration.server";
import { deleteFactors } from "~/features/second-factor/factors.server";
import { moveMembers, unionClinics } from "./member-store.server";
import { insertRun, isBeingMerged, type NewRun } from "./merge-run-store.server";

/**
 * First transaction of a merge: deactivates the losers with a reference to the winner, ends their sign-ins, and unites
 * memberships. The caller writes the winner's row; a job moves the rest (move-merged.server.ts). Throws `conflict`.
 */
export async function beginMerge({ tx, now, person }: ChangeContext, run: Omit<NewRun, "actorId">): Promise<void> {
  const loserIds = run.losers.map(({ id }) => id);
  if (await isBeingMerged(tx, run.kind, [run.winnerId, ...loserIds]))
    throw new Refusal("conflict", { text: "En tidligere fusionering er ikke færdig endnu. Prøv igen om lidt." });
  const runId = await insertRun(tx, { ...run, actorId: person.id }, now);
  if (run.kind === "clinic") {
    await endKeysOfClinics(tx, loserIds, now);
    return moveMembers(tx, runId, run.winnerId, loserIds);
  }
  await unionClinics(tx, runId, run.winnerId, loserIds);
  for (const id of loserIds) {
    await endAccessOf(tx, id, now);
    await removeAddressesOf(tx, id);
    await deleteFactors(tx, id);
    await endKeysOfUser(tx, id, now);
  }
}
