import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import { INACTIVE } from "~/features/directory/activity";
import { toMoment } from "~/text/dates";
import type { MergeKind } from "./merged-columns";

export interface MergeRun {
  id: number;
  kind: MergeKind;
  winner_id: number;
  state: "moving" | "done" | "undoing" | "undone";
}

const UNFINISHED = ["moving", "undoing"] as const;

export interface NewRun {
  kind: MergeKind;
  winnerId: number;
  losers: { id: number; status: number }[];
  /** Values of the winner before and after: column → value. */
  before: object;
  after: object;
  actorId: number;
}

/** Inserts a merge, deactivates its losers, and forwards earlier merges into them. */
export async function insertRun(tx: Tx, run: NewRun, now: Date): Promise<number> {
  const { insertId } = await tx
    .insertInto("merge_run")
    .values({
      kind: run.kind,
      winner_id: run.winnerId,
      state: "moving",
      values_before: JSON.stringify(run.before),
      values_after: JSON.stringify(run.after),
      actor_id: run.actorId,
      at: toMoment(now),
      moved_at: null,
      undone_by: null,
      undone_at: null,
    })
    .executeTakeFirstOrThrow();
  const ids = run.losers.map(({ id }) => id);
  const former = await tx
    .selectFrom(run.kind)
    .select(["id", "merged_into_id"])
    .where("merged_into_id", "in", ids)
    .execute();
  await tx
    .insertInto("merge_loser")
    .values(
      run.losers.map(({ id, status }) => ({
        run_id: Number(insertId),
        loser_id: id,
        status_before: status,
        merged_before: JSON.stringify(former.flatMap((row) => (row.merged_into_id === id ? [row.id] : []))),
      })),
    )
    .execute();
  await tx.updateTable(run.kind).set({ merged_into_id: run.winnerId }).where("merged_into_id", "in", ids).execute();
  await tx
    .updateTable(run.kind)
    .set((eb) => ({
      status: INACTIVE,
      merged_into_id: run.winnerId,
      modified_at: toMoment(now),
      version: eb("version", "+", 1),
    }))
    .where("id", "in", ids)
    .execute();
  return Number(insertId);
}

export async function isBeingMerged(db: DbOrTx, kind: MergeKind, ids: number[]): Promise<boolean> {
  const row = await db
    .selectFrom("merge_run")
    .innerJoin("merge_loser", "merge_loser.run_id", "merge_run.id")
    .select("merge_run.id")
    .where("merge_run.state", "in", UNFINISHED)
    .where("merge_run.kind", "=", kind)
    .where((eb) => eb.or([eb("merge_run.winner_id", "in", ids), eb("merge_loser.loser_id", "in", ids)]))
    .executeTakeFirst();
  return row !== undefined;
}

export async function isMergedAway(db: DbOrTx, kind: MergeKind, id: number): Promise<boolean> {
  const row = await db.selectFrom(kind).select("merged_into_id").where("id", "=", id).executeTakeFirst();
  return row?.merged_into_id != null;
}

export async function hasUnfinishedRun(db: DbOrTx): Promise<boolean> {
  const row = await db.selectFrom("merge_run").select("id").where("state", "in", UNFINISHED).executeTakeFirst();
  return row !== undefined;
}

export async function lockNextRun(tx: Tx): Promise<MergeRun | undefined> {
  const oldest = tx
    .selectFrom("merge_run")
    .select(["id", "kind", "winner_id", "state"])
    .where("state", "in", UNFINISHED)
    .orderBy("id")
    .limit(1);
  return forUpdate(tx, oldest).executeTakeFirst();
}

export const lockRun = (tx: Tx, id: number) =>
  forUpdate(tx, tx.selectFrom("merge_run").selectAll().where("id", "=", id)).executeTakeFirst();

export const findLosers = (db: DbOrTx, runId: number) =>
  db.selectFrom("merge_loser").selectAll().where("run_id", "=", runId).orderBy("loser_id").execute();

export async function finishRun(tx: Tx, { id, state }: MergeRun, now: Date): Promise<void> {
  await tx
    .updateTable("merge_run")
    .set(state === "moving" ? { state: "done", moved_at: toMoment(now) } : { state: "undone" })
    .where("id", "=", id)
    .execute();
}

export async function beginUndo(tx: Tx, id: number, by: { personId: number; now: Date }): Promise<void> {
  await tx
    .updateTable("merge_run")
    .set({ state: "undoing", undone_by: by.personId, undone_at: toMoment(by.now) })
    .where("id", "=", id)
    .execute();
}

export async function restoreLosers(tx: Tx, run: Pick<MergeRun, "id" | "kind" | "winner_id">, now: Date) {
  for (const loser of await findLosers(tx, run.id)) {
    await tx
      .updateTable(run.kind)
      .set((eb) => ({
        status: loser.status_before,
        merged_into_id: null,
        modified_at: toMoment(now),
        version: eb("version", "+", 1),
      }))
      .where("id", "=", loser.loser_id)
      .where("merged_into_id", "=", run.winner_id)
      .execute();
    const former = JSON.parse(loser.merged_before) as number[];
    if (former.length > 0)
      await tx
        .updateTable(run.kind)
        .set({ merged_into_id: loser.loser_id })
        .where("id", "in", former)
        .where("merged_into_id", "=", run.winner_id)
        .execute();
  }
}
