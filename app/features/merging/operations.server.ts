import { invalidateDirectory } from "~/features/directory/operations.server";
import { change, type ChangeContext, read, type ReadContext, wholeNumber, succeeded } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { endKeysOfClinics, endKeysOfUser } from "~/access/api-key-store.server";
import { removeAddressesOf } from "~/access/session-store.server";
import { endAccessOf } from "~/features/accounts/access-token-store.server";
import { findAccount } from "~/features/accounts/store.server";
import { deleteFactors } from "~/features/second-factor/second-factor-store.server";
import {
  moveMembers,
  revertMemberships,
  unionClinics,
  beginUndo,
  findLosers,
  finishRun,
  hasUnfinishedRun,
  insertRun,
  isBeingMerged,
  isMergedAway,
  lockNextRun,
  lockRun,
  type NewRun,
  restoreLosers,
} from "./merge-run-store.server";
import { z } from "zod";
import { moveRows, recordOverwrittenValue, revertMovedRows } from "./moved-store.server";
import { addDays } from "date-fns";
import { can } from "~/access/permissions";
import {
  findKnownAs,
  findLeft,
  findLosersOf,
  findRunsOf,
  findWinnerValues,
  restoreWinner,
  type WinnerValues,
} from "./store.server";
import { type MergeKind, UNDO_DAYS } from "./merged-columns";
import { mailAccountChange } from "~/features/accounts/account-mail.server";
import { moveBinding, revertBinding } from "./moved-binding-store.server";
import { INACTIVE } from "~/features/directory/activity";
import { idsOf } from "~db/connection.server";

/**
 * First transaction of a merge: deactivates the losers with a reference to the winner, ends their sign-ins, and unites
 * memberships. A loser's account at the identity provider becomes the winner's. The caller writes the winner's row; a job moves the rest. Throws `conflict`.
 */
export async function beginMerge(context: ChangeContext, run: Omit<NewRun, "actorId">): Promise<void> {
  const { tx, now, person } = context;
  const loserIds = idsOf(run.losers);
  if (await isBeingMerged(tx, run.kind, [run.winnerId, ...loserIds]))
    throw new Refusal("conflict", { text: "En tidligere fusionering er ikke færdig endnu. Prøv igen om lidt." });
  const runId = await insertRun(tx, { ...run, actorId: person.id }, now);
  if (run.kind === "clinic") {
    await endKeysOfClinics(tx, loserIds, now);
    return moveMembers(tx, runId, run.winnerId, loserIds);
  }
  await unionClinics(tx, runId, run.winnerId, loserIds);
  if (await moveBinding(tx, runId, run.winnerId, loserIds))
    await mailAccountChange(context, await findAccount(tx, run.winnerId), ["externalAccount"], { by: person });
  for (const id of loserIds) {
    await endAccessOf(tx, id, now);
    await removeAddressesOf(tx, id);
    await deleteFactors(tx, id);
    await endKeysOfUser(tx, id, now);
  }
}

/** Whether a merge or undo is unfinished; asked before a transaction is opened. */
export const readMerging = read({
  name: "merging.readUnfinished",
  permission: "system",
  async run({ db }) {
    return { isGoingOn: await hasUnfinishedRun(db) };
  },
});

/** Moves the next rows of the oldest unfinished merge; a killed process is continued by the next call. */
export const moveMerged = change({
  name: "merging.move",
  permission: "system",
  async run({ tx, now }) {
    const run = await lockNextRun(tx);
    if (!run) return { data: { moved: 0 } };
    const losers = (await findLosers(tx, run.id)).map(({ loserId }) => loserId);
    const moved = run.state === "moving" ? await moveRows(tx, run, losers) : await revertMovedRows(tx, run);
    if (moved === 0) await finishRun(tx, run, now);
    return { data: { moved } };
  },
});

/** Null without the right to merge. `mayUndo` holds for 30 days; `left` are rows that an undo could not return. */
export async function readMergeHistory(
  { db, actor, now }: Pick<ReadContext, "db" | "actor" | "now">,
  kind: MergeKind,
  id: number,
) {
  if (!can(actor, "directory.merge")) return null;
  const runs = await findRunsOf(db, kind, id);
  const runIds = idsOf(runs);
  const losers = await findLosersOf(db, runIds);
  const left = await findLeft(
    db,
    runs.flatMap((run) => (run.state === "undone" ? [run.id] : [])),
  );
  const names = await findKnownAs(db, kind, [
    ...runs.map((run) => run.winnerId),
    ...losers.map((loser) => loser.loserId),
  ]);
  return runs.map((run) => ({
    id: run.id,
    hasWon: run.winnerId === id,
    winner: names.get(run.winnerId) ?? "",
    losers: losers.flatMap(({ runId, loserId }) => (runId === run.id ? [names.get(loserId) ?? ""] : [])),
    state: run.state,
    at: run.at,
    undoneAt: run.undoneAt,
    mayUndo: (run.state === "moving" || run.state === "done") && addDays(new Date(run.at), UNDO_DAYS) >= now,
    left: left.flatMap(({ runId, place, rowId }) => (runId === run.id ? [{ place, id: rowId }] : [])),
  }));
}

type Run = NonNullable<Awaited<ReturnType<typeof lockRun>>>;

/**
 * 'Fortryd fusioneringen', within 30 days. Unchanged values and rows are restored, rows by the job; changed ones stay
 * and are listed. Throws `notInScope` and `conflict`.
 */
export const undoMerge = change({
  name: "undoMerge",
  permission: "directory.merge",
  input: z.object({ runId: wholeNumber }),
  async run(context, { runId }) {
    const { tx, now, person, auditChange } = context;
    const run = await lockRun(tx, runId);
    if (!run) throw new Refusal("notInScope", { text: "Fusioneringen findes ikke, eller du har ikke adgang til den." });
    await refuseLate(context, run);
    await beginUndo(tx, run.id, { personId: person.id, now });
    await restoreValues(context, run);
    await restoreLosers(tx, run, now);
    await revertMemberships(tx, run);
    await revertBinding(tx, run);
    auditChange([], `merge ${run.id} undone`);
    invalidateDirectory(context);
    return succeeded(
      "Fusioneringen er fortrudt. Det flyttede er på vej tilbage; det, der ikke kan flyttes, står i historikken.",
    );
  },
});

async function refuseLate({ tx, now }: ChangeContext, run: Run): Promise<void> {
  if (run.state === "undoing" || run.state === "undone")
    throw new Refusal("conflict", { text: "Fusioneringen er allerede fortrudt." });
  if (addDays(new Date(run.at), UNDO_DAYS) < now)
    throw new Refusal("conflict", { text: `En fusionering kan kun fortrydes i ${UNDO_DAYS} dage.` });
  if (await isMergedAway(tx, run.kind, run.winnerId))
    throw new Refusal("conflict", { text: "Der er fusioneret igen siden. Fortryd den nyeste fusionering først." });
}

/** Restores values that the merge chose and nobody has changed since. */
async function restoreValues(context: ChangeContext, run: Run): Promise<void> {
  const { tx, now } = context;
  const [before, after] = [run.valuesBefore, run.valuesAfter].map((json) => JSON.parse(json) as WinnerValues);
  const standing = await findWinnerValues(tx, run.kind, run.winnerId);
  const chosen = Object.keys(after!).filter((column) => before![column] !== after![column]);
  const [back, left] = [
    chosen.filter((column) => standing[column] === after![column]),
    chosen.filter((column) => standing[column] !== after![column]),
  ];
  for (const column of left) await recordOverwrittenValue(tx, run, `${run.kind}.${column}`);
  if (back.length === 0) return;
  const values = Object.fromEntries(back.map((column) => [column, before![column]!]));
  await restoreWinner(tx, run.kind, run.winnerId, values, now);
  if (run.kind === "clinic") return;
  if (values.status === INACTIVE || "email" in values) await endAccessOf(tx, run.winnerId, now);
  if (!("email" in values)) return;
  const user = await findAccount(tx, run.winnerId);
  const addresses = [before!, after!].map(({ email }) => String(email));
  await mailAccountChange(context, user, ["email"], { addresses });
}
