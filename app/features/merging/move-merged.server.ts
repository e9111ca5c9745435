import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { findLosers, finishRun, hasUnfinishedRun, lockNextRun } from "./merge-run-store.server";
import { moveRows, revertMovedRows } from "./moved-store.server";

/** Whether a merge, or the undoing of one, is not finished; looked at before a transaction is opened for it. */
export const readMerging = read({
  name: "merging.readUnfinished",
  permission: "system",
  input: z.object({}),
  async run({ db }) {
    return { isGoingOn: await hasUnfinishedRun(db) };
  },
});

/** The next rows of the oldest merge that is not finished. A killed process leaves them as they were, and the next call continues. */
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
