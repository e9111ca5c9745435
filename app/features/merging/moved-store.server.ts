import { forUpdate, type Tx, idsOf } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { MergeRun } from "./merge-run-store.server";
import { toMoment } from "~/text/dates";
import { movedColumns } from "./merged-columns";

/** Rows per transaction, small enough not to block writers. Counted referrals cost a dozen more statements each. */
const BATCH_SIZE = 500;
const COUNTED_BATCH_SIZE = 50;

/** Kysely types table names; every moved place has the same shape. */
const partsOf = (place: string) => place.split(".") as ["referral", "referrer_id"];

const isCounted = (place: string) => place === "referral.referrer_id" || place === "referral.clinic_id";

const batchSizeOf = (place: string) => (isCounted(place) ? COUNTED_BATCH_SIZE : BATCH_SIZE);

/** Moves the next rows to the winner and records their origin; returns how many. */
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

/** Returns the next rows to their origin; rows changed since are recorded and left. Returns how many were checked. */
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
  const rowsNow = await forUpdate(tx, tx.selectFrom(table).select(["id", column]).where("id", "in", ids)).execute();
  const back = idsOf(rowsNow.filter((row) => row[column] === run.winner_id));
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

async function lockRowsOf(tx: Tx, place: string, from: number, winnerId: number): Promise<number[]> {
  const [table, column] = partsOf(place);
  const rows = tx
    .selectFrom(table)
    .select("id")
    .where(column, "=", from)
    .$if(place === "autosave.user_id", (query) => query.where("id", "not in", formsOfBoth(tx, from, winnerId)))
    .limit(batchSizeOf(place));
  return idsOf(await forUpdate(tx, rows).execute());
}

/** A person has one draft per form and key: where the winner has one, the loser's stays and expires. */
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

export async function recordOverwrittenValue(
  tx: Tx,
  { id, winner_id }: Pick<MergeRun, "id" | "winner_id">,
  place: string,
) {
  const row = { run_id: id, place, row_id: winner_id, from_id: winner_id, detail: null, outcome: "left" as const };
  await tx.insertInto("merge_moved").values(row).execute();
}

const CLEARED_BATCH_SIZE = 2000;

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
