import { forUpdate, type Tx, idsOf } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import { codeName } from "~db/names.server";
import type { MergeRun } from "./merge-run-store.server";
import { toMoment } from "~/text/dates";
import { movedColumns } from "./merged-columns";

/** Rows per transaction, small enough not to block writers. Counted referrals cost a dozen more statements each. */
const BATCH_SIZE = 500;
const COUNTED_BATCH_SIZE = 50;

/** Kysely types table names; every moved place has the same shape. Places are stored, so they have the database's names. */
const partsOf = (place: string) => place.split(".").map(codeName) as ["referral", "referrerId"];

const isCounted = (place: string) => place === "referral.referrer_id" || place === "referral.clinic_id";

const batchSizeOf = (place: string) => (isCounted(place) ? COUNTED_BATCH_SIZE : BATCH_SIZE);

/** Moves the next rows to the winner and records their origin; returns how many. */
export async function moveRows(tx: Tx, run: MergeRun, loserIds: number[]): Promise<number> {
  for (const place of movedColumns(run.kind)) {
    for (const from of loserIds) {
      const ids = await lockRowsOf(tx, place, from, run.winnerId);
      if (ids.length === 0) continue;
      await tx
        .insertInto("mergeMoved")
        .values(
          ids.map((id) => ({
            runId: run.id,
            place,
            rowId: id,
            fromId: from,
            detail: null,
            outcome: "moved" as const,
          })),
        )
        .execute();
      await pointTo(tx, place, ids, run.winnerId);
      return ids.length;
    }
  }
  return 0;
}

/** Returns the next rows to their origin; rows changed since are recorded and left. Returns how many were checked. */
export async function revertMovedRows(tx: Tx, run: MergeRun): Promise<number> {
  const moved = await tx
    .selectFrom("mergeMoved")
    .select(["place", "rowId", "fromId"])
    .where("runId", "=", run.id)
    .where("outcome", "=", "moved")
    .orderBy("place")
    .orderBy("rowId")
    .limit(BATCH_SIZE)
    .execute();
  const [first] = moved;
  if (!first) return 0;
  const rows = moved
    .filter(({ place, fromId }) => place === first.place && fromId === first.fromId)
    .slice(0, batchSizeOf(first.place));
  const ids = rows.map((row) => row.rowId);
  const [table, column] = partsOf(first.place);
  const rowsNow = await forUpdate(tx, tx.selectFrom(table).select(["id", column]).where("id", "in", ids)).execute();
  const back = idsOf(rowsNow.filter((row) => row[column] === run.winnerId));
  const left = ids.filter((id) => !back.includes(id));
  if (back.length > 0) await pointTo(tx, first.place, back, first.fromId);
  for (const [outcome, some] of [["back", back] as const, ["left", left] as const])
    if (some.length > 0)
      await tx
        .updateTable("mergeMoved")
        .set({ outcome })
        .where("runId", "=", run.id)
        .where("place", "=", first.place)
        .where("fromId", "=", first.fromId)
        .where("rowId", "in", some)
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
      join.onRef("theirs.formKey", "=", "own.formKey").onRef("theirs.cprHash", "=", "own.cprHash"),
    )
    .select("own.id")
    .where("own.userId", "=", loserId)
    .where("theirs.userId", "=", winnerId);

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
  { id, winnerId }: Pick<MergeRun, "id" | "winnerId">,
  place: string,
) {
  const row = { runId: id, place, rowId: winnerId, fromId: winnerId, detail: null, outcome: "left" as const };
  await tx.insertInto("mergeMoved").values(row).execute();
}

const CLEARED_BATCH_SIZE = 2000;

export async function removeMovedRows(tx: Tx, before: Date): Promise<void> {
  const rows = await tx
    .selectFrom("mergeRun")
    .innerJoin("mergeMoved", "mergeMoved.runId", "mergeRun.id")
    .select(["runId", "place", "fromId", "rowId"])
    .where("mergeRun.at", "<", toMoment(before))
    .limit(CLEARED_BATCH_SIZE)
    .execute();
  const [first] = rows;
  if (!first) return;
  const together = rows.filter(
    (row) => row.runId === first.runId && row.place === first.place && row.fromId === first.fromId,
  );
  await tx
    .deleteFrom("mergeMoved")
    .where("runId", "=", first.runId)
    .where("place", "=", first.place)
    .where("fromId", "=", first.fromId)
    .where(
      "rowId",
      "in",
      together.map((row) => row.rowId),
    )
    .execute();
}
