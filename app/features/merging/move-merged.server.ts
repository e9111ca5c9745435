import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { findLosers, finishRun, hasUnfinishedRun, lockNextRun } from "./merge-run-store.server";
import { moveRows, revertMovedRows } from "./moved-store.server";

/** Whether a merge or undo is unfinished; asked before a transaction is opened. */
export const readMerging = read({
  name: "merging.readUnfinished",
  permission: "system",
  input: z.object({}),
  async run({ db }) {
    return { isGoingOn: await hasUnfinishedRun(db) };
  },
});

/** Moves the next rows of the oldest unfinished merge; a killed process is continued by the next call. */
export const moveMerged = change({
  name: "merging.move",
  permission: "system",
  input: z.object({}),
  async run({ tx, now }) {
    const run = await lockNextRun(tx);
    if (!run) return { data: { moved: 0 } };
    const losers = (await findLosers(tx, run.id)).map(({ loser_id }) => loser_id);
    const moved = run.state === "moving" ? await moveRows(tx, run, losers) : await revertMovedRows(tx, run);
    if (moved === 0) await finishRun(tx, run, now);
    return { data: { moved } };
  },
});
