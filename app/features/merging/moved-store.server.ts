import { forUpdate, type Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { MergeRun } from "./merge-run-store.server";
import { toMoment } from "~/text/dates";
import { movedColumns } from "./merged-columns";

/** Rows per transaction: short enough not to hold up other writers. Each referral that is counted costs a dozen statements more. */
const BATCH_SIZE = 500;
const COUNTED_BATCH_SIZE = 50;

/** Kysely knows tables by name; what is asked of one moved place is asked of each. */
const partsOf = (place: string) => place.split(".") as ["referral", "referrer_id"];

/** What statistics count by. */
const isCounted = (place: string) => place === "referral.referrer_id" || place === "referral.clinic_id";

const batchSizeOf = (place: string) => (isCounted(place) ? COUNTED_BATCH_SIZE : BATCH_SIZE);

/** Moves the next rows of a run to its winner, and notes where they were. Answers how many. */
export async function moveRows(tx: Tx, run: MergeRun, loserIds: number[]): Promise<number> {
  for (const place of movedColumns(run.kind)) {
    for (const from of loserIds) {
      const ids = await lockRowsOf(tx, place, from, run.winner_id);
      if (ids.length === 0) continue;
      await tx
        .insertInto("merge_moved")
        .values(
          ids.map((id) => ({
            run_id: run.id,
            place,
            row_id: id,
            from_id: from,
            detail: null,
            outcome: "moved" as const,
          })),
        )
        .execute();
      await pointTo(tx, place, ids, run.winner_id);
      return ids.length;
    }
  }
  return 0;
}

/** Gives the next rows of a run back to whom they were taken from; those that stand elsewhere by now are noted and left there. Answers how many were looked at. */
export async function revertMovedRows(tx: Tx, run: MergeRun): Promise<number> {
  const moved = await tx
    .selectFrom("merge_moved")
    .select(["place", "row_id", "from_id"])
    .where("run_id", "=", run.id)
    .where("outcome", "=", "moved")
    .orderBy("place")
    .orderBy("row_id")
    .limit(BATCH_SIZE)
    .execute();
  const [first] = moved;
  if (!first) return 0;
  const rows = moved
    .filter(({ place, from_id }) => place === first.place && from_id === first.from_id)
    .slice(0, batchSizeOf(first.place));
  const ids = rows.map((row) => row.row_id);
  const [table, column] = partsOf(first.place);
  // Asked for by their ids alone: with the winner beside them, SQLite would read all that the winner has.
  const rowsNow = await forUpdate(tx, tx.selectFrom(table).select(["id", column]).where("id", "in", ids)).execute();
  const back = rowsNow.filter((row) => row[column] === run.winner_id).map(({ id }) => id);
  const left = ids.filter((id) => !back.includes(id));
  if (back.length > 0) await pointTo(tx, first.place, back, first.from_id);
  for (const [outcome, some] of [["back", back] as const, ["left", left] as const])
    if (some.length > 0)
      await tx
        .updateTable("merge_moved")
        .set({ outcome })
        .where("run_id", "=", run.id)
        .where("place", "=", first.place)
        .where("from_id", "=", first.from_id)
        .where("row_id", "in", some)
        .execute();
  return rows.length;
}

/** Some rows that still name a loser, locked until the transaction ends. */
async function lockRowsOf(tx: Tx, place: string, from: number, winnerId: number): Promise<number[]> {
  const [table, column] = partsOf(place);
  const rows = tx
    .selectFrom(table)
    .select("id")
    .where(column, "=", from)
    .$if(place === "autosave.user_id", (query) => query.where("id", "not in", formsOfBoth(tx, from, winnerId)))
    .limit(batchSizeOf(place));
  return (await forUpdate(tx, rows).execute()).map(({ id }) => id);
}

/** There is one copy a person, form and number: where the winner has one too, the loser's stays and runs out. */
const formsOfBoth = (tx: Tx, loserId: number, winnerId: number) =>
  tx
    .selectFrom("autosave as own")
    .innerJoin("autosave as theirs", (join) =>
      join.onRef("theirs.form_key", "=", "own.form_key").onRef("theirs.cpr_hash", "=", "own.cpr_hash"),
    )
    .select("own.id")
    .where("own.user_id", "=", loserId)
    .where("theirs.user_id", "=", winnerId);

async function pointTo(tx: Tx, place: string, ids: number[], to: number): Promise<void> {
  const [table, column] = partsOf(place);
  if (isCounted(place)) markReferrals(tx, ids);
  await tx
    .updateTable(table)
    .set({ [column]: to })
    .where("id", "in", ids)
    .execute();
}

/** Notes that a value of the winner is no longer what the merge chose. */
export async function recordOverwrittenValue(
  tx: Tx,
  { id, winner_id }: Pick<MergeRun, "id" | "winner_id">,
  place: string,
) {
  const row = { run_id: id, place, row_id: winner_id, from_id: winner_id, detail: null, outcome: "left" as const };
  await tx.insertInto("merge_moved").values(row).execute();
}

/** Rows that are cleared away at a time; the next time takes more. */
const CLEARED_BATCH_SIZE = 2000;

/** Deletes what moved in runs that began before a moment: they can no longer be undone. Who was merged into whom stays. */
export async function removeMovedRows(tx: Tx, before: Date): Promise<void> {
  const rows = await tx
    .selectFrom("merge_run")
    .innerJoin("merge_moved", "merge_moved.run_id", "merge_run.id")
    .select(["run_id", "place", "from_id", "row_id"])
    .where("merge_run.at", "<", toMoment(before))
    .limit(CLEARED_BATCH_SIZE)
    .execute();
  const [first] = rows;
  if (!first) return;
  const together = rows.filter(
    (row) => row.run_id === first.run_id && row.place === first.place && row.from_id === first.from_id,
  );
  await tx
    .deleteFrom("merge_moved")
    .where("run_id", "=", first.run_id)
    .where("place", "=", first.place)
    .where("from_id", "=", first.from_id)
    .where(
      "row_id",
      "in",
      together.map((row) => row.row_id),
    )
    .execute();
}
