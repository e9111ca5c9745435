import { addDays } from "date-fns";
import type { ReadContext } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { fromMoment, isoMoment } from "~/text/dates";
import { findKnownAs, findLeft, findLosersOf, findRunsOf } from "./history-store.server";
import { type MergeKind, UNDO_DAYS } from "./merged-columns";

/** Merges of a user or clinic; null for those who may not merge. */
export async function readMergeHistory(
  { db, actor, now }: Pick<ReadContext, "db" | "actor" | "now">,
  kind: MergeKind,
  id: number,
) {
  if (!can(actor, "directory.merge")) return null;
  const runs = await findRunsOf(db, kind, id);
  const runIds = runs.map((run) => run.id);
  const losers = await findLosersOf(db, runIds);
  const left = await findLeft(
    db,
    runs.flatMap((run) => (run.state === "undone" ? [run.id] : [])),
  );
  const names = await findKnownAs(db, kind, [
    ...runs.map((run) => run.winner_id),
    ...losers.map((loser) => loser.loser_id),
  ]);
  return runs.map((run) => ({
    id: run.id,
    hasWon: run.winner_id === id,
    winner: names.get(run.winner_id) ?? "",
    losers: losers.flatMap(({ run_id, loser_id }) => (run_id === run.id ? [names.get(loser_id) ?? ""] : [])),
    state: run.state,
    at: isoMoment(run.at),
    undoneAt: run.undone_at && isoMoment(run.undone_at),
    mayUndo: (run.state === "moving" || run.state === "done") && addDays(fromMoment(run.at), UNDO_DAYS) >= now,
    left: left.flatMap(({ run_id, place, row_id }) => (run_id === run.id ? [{ place, id: row_id }] : [])),
  }));
}
