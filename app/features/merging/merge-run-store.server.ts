import { type DbOrTx, forUpdate, type Tx, insertUnlessThere, idsOf } from "~db/connection.server";
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
  const ids = idsOf(run.losers);
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

/** Locks the row, so that no merge begins until the transaction ends. */
export async function isMergedAway(tx: Tx, kind: MergeKind, id: number): Promise<boolean> {
  const row = await forUpdate(tx, tx.selectFrom(kind).select("merged_into_id").where("id", "=", id)).executeTakeFirst();
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

const BATCH_SIZE = 500;

const [OF_USER, OF_CLINIC] = ["user_clinic.user_id", "user_clinic.clinic_id"];

/** The winner gets all clinics of the losers, who keep theirs. */
export async function unionClinics(tx: Tx, runId: number, winnerId: number, loserIds: number[]): Promise<void> {
  const theirs = await tx
    .selectFrom("user_clinic")
    .select(["clinic_id", (eb) => eb.fn.min("user_id").as("from_id")])
    .where("user_id", "in", loserIds)
    .where("clinic_id", "not in", (eb) =>
      eb.selectFrom("user_clinic").select("clinic_id").where("user_id", "=", winnerId),
    )
    .groupBy("clinic_id")
    .execute();
  if (theirs.length === 0) return;
  await tx
    .insertInto("user_clinic")
    .values(theirs.map(({ clinic_id }) => ({ user_id: winnerId, clinic_id, is_primary: 0 })))
    .execute();
  await note(
    tx,
    runId,
    OF_USER!,
    theirs.map(({ clinic_id, from_id }) => ({ row_id: clinic_id, from_id: Number(from_id), detail: null })),
  );
}

/** Members of losing clinics join the winning one, which replaces a lost primary clinic. */
export async function moveMembers(tx: Tx, runId: number, winnerId: number, loserIds: number[]): Promise<void> {
  const members = await tx.selectFrom("user_clinic").selectAll().where("clinic_id", "in", loserIds).execute();
  const there = await tx.selectFrom("user_clinic").select("user_id").where("clinic_id", "=", winnerId).execute();
  const wasThere = new Set(there.map(({ user_id }) => user_id));
  const primary = new Set(members.flatMap((row) => (row.is_primary === 1 ? [row.user_id] : [])));
  await tx.deleteFrom("user_clinic").where("clinic_id", "in", loserIds).execute();
  const added = [...new Set(members.map(({ user_id }) => user_id))].filter((id) => !wasThere.has(id));
  for (const some of chunks(added))
    await tx
      .insertInto("user_clinic")
      .values(some.map((id) => ({ user_id: id, clinic_id: winnerId, is_primary: Number(primary.has(id)) })))
      .execute();
  for (const some of chunks([...primary].filter((id) => wasThere.has(id))))
    await tx
      .updateTable("user_clinic")
      .set({ is_primary: 1 })
      .where("clinic_id", "=", winnerId)
      .where("user_id", "in", some)
      .execute();
  await note(
    tx,
    runId,
    OF_CLINIC!,
    members.map((row) => ({
      row_id: row.user_id,
      from_id: row.clinic_id,
      detail: [row.is_primary === 1 ? "primary" : "", wasThere.has(row.user_id) ? "both" : ""]
        .filter(Boolean)
        .join(" "),
    })),
  );
}

export async function revertMemberships(tx: Tx, { id, kind, winner_id: winnerId }: Omit<MergeRun, "state">) {
  const place = kind === "user" ? OF_USER! : OF_CLINIC!;
  const moved = await tx
    .selectFrom("merge_moved")
    .select(["row_id", "from_id", "detail"])
    .where("run_id", "=", id)
    .where("place", "=", place)
    .where("outcome", "=", "moved")
    .execute();
  const now = await tx
    .selectFrom("user_clinic")
    .selectAll()
    .where(kind === "user" ? "user_id" : "clinic_id", "=", winnerId)
    .execute();
  const standing = new Set(
    now.flatMap((row) => (kind === "clinic" ? [row.user_id] : row.is_primary === 1 ? [] : [row.clinic_id])),
  );
  const [back, left] = [
    moved.filter((row) => standing.has(row.row_id)),
    moved.filter((row) => !standing.has(row.row_id)),
  ];
  if (kind === "clinic")
    for (const some of chunks(back))
      await insertUnlessThere(
        tx,
        "user_clinic",
        some.map((row) => ({
          user_id: row.row_id,
          clinic_id: row.from_id,
          is_primary: Number(row.detail!.includes("primary")),
        })),
      );
  const added = back.filter((row) => !row.detail?.includes("both")).map((row) => row.row_id);
  for (const some of chunks(added)) await removeFrom(tx, kind, winnerId, some);
  const lent = back.filter((row) => row.detail === "primary both").map((row) => row.row_id);
  for (const some of chunks(lent))
    await tx
      .updateTable("user_clinic")
      .set({ is_primary: 0 })
      .where("clinic_id", "=", winnerId)
      .where("user_id", "in", some)
      .execute();
  for (const [outcome, rows] of [["back", back] as const, ["left", left] as const])
    for (const some of chunks(rows.map((row) => row.row_id)))
      await tx
        .updateTable("merge_moved")
        .set({ outcome })
        .where("run_id", "=", id)
        .where("place", "=", place)
        .where("row_id", "in", some)
        .execute();
}

const removeFrom = (tx: Tx, kind: MergeRun["kind"], winnerId: number, others: number[]) =>
  tx
    .deleteFrom("user_clinic")
    .where(kind === "user" ? "user_id" : "clinic_id", "=", winnerId)
    .where(kind === "user" ? "clinic_id" : "user_id", "in", others)
    .execute();

async function note(
  tx: Tx,
  runId: number,
  place: string,
  rows: { row_id: number; from_id: number; detail: string | null }[],
): Promise<void> {
  for (const some of chunks(rows))
    await tx
      .insertInto("merge_moved")
      .values(some.map((row) => ({ run_id: runId, place, outcome: "moved" as const, ...row })))
      .execute();
}

function chunks<T>(rows: T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / BATCH_SIZE) }, (_, index) =>
    rows.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );
}
