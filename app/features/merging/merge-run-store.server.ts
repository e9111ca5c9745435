import { type DbOrTx, forUpdate, type Tx, insertUnlessThere, idsOf } from "~db/connection.server";
import { INACTIVE } from "~/features/directory/activity";
import { toMoment } from "~/text/dates";
import type { MergeKind } from "./merged-columns";

export interface MergeRun {
  id: number;
  kind: MergeKind;
  winnerId: number;
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
    .insertInto("mergeRun")
    .values({
      kind: run.kind,
      winnerId: run.winnerId,
      state: "moving",
      valuesBefore: JSON.stringify(run.before),
      valuesAfter: JSON.stringify(run.after),
      actorId: run.actorId,
      at: toMoment(now),
      movedAt: null,
      undoneBy: null,
      undoneAt: null,
    })
    .executeTakeFirstOrThrow();
  const ids = idsOf(run.losers);
  const former = await tx
    .selectFrom(run.kind)
    .select(["id", "mergedIntoId"])
    .where("mergedIntoId", "in", ids)
    .execute();
  await tx
    .insertInto("mergeLoser")
    .values(
      run.losers.map(({ id, status }) => ({
        runId: Number(insertId),
        loserId: id,
        statusBefore: status,
        mergedBefore: JSON.stringify(former.flatMap((row) => (row.mergedIntoId === id ? [row.id] : []))),
      })),
    )
    .execute();
  await tx.updateTable(run.kind).set({ mergedIntoId: run.winnerId }).where("mergedIntoId", "in", ids).execute();
  await tx
    .updateTable(run.kind)
    .set((eb) => ({
      status: INACTIVE,
      mergedIntoId: run.winnerId,
      modifiedAt: toMoment(now),
      version: eb("version", "+", 1),
    }))
    .where("id", "in", ids)
    .execute();
  return Number(insertId);
}

export async function isBeingMerged(db: DbOrTx, kind: MergeKind, ids: number[]): Promise<boolean> {
  const row = await db
    .selectFrom("mergeRun")
    .innerJoin("mergeLoser", "mergeLoser.runId", "mergeRun.id")
    .select("mergeRun.id")
    .where("mergeRun.state", "in", UNFINISHED)
    .where("mergeRun.kind", "=", kind)
    .where((eb) => eb.or([eb("mergeRun.winnerId", "in", ids), eb("mergeLoser.loserId", "in", ids)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the row, so that no merge begins until the transaction ends. */
export async function isMergedAway(tx: Tx, kind: MergeKind, id: number): Promise<boolean> {
  const row = await forUpdate(tx, tx.selectFrom(kind).select("mergedIntoId").where("id", "=", id)).executeTakeFirst();
  return row?.mergedIntoId != null;
}

export async function hasUnfinishedRun(db: DbOrTx): Promise<boolean> {
  const row = await db.selectFrom("mergeRun").select("id").where("state", "in", UNFINISHED).executeTakeFirst();
  return row !== undefined;
}

export async function lockNextRun(tx: Tx): Promise<MergeRun | undefined> {
  const oldest = tx
    .selectFrom("mergeRun")
    .select(["id", "kind", "winnerId", "state"])
    .where("state", "in", UNFINISHED)
    .orderBy("id")
    .limit(1);
  return forUpdate(tx, oldest).executeTakeFirst();
}

export const lockRun = (tx: Tx, id: number) =>
  forUpdate(tx, tx.selectFrom("mergeRun").selectAll().where("id", "=", id)).executeTakeFirst();

export const findLosers = (db: DbOrTx, runId: number) =>
  db.selectFrom("mergeLoser").selectAll().where("runId", "=", runId).orderBy("loserId").execute();

export async function finishRun(tx: Tx, { id, state }: MergeRun, now: Date): Promise<void> {
  await tx
    .updateTable("mergeRun")
    .set(state === "moving" ? { state: "done", movedAt: toMoment(now) } : { state: "undone" })
    .where("id", "=", id)
    .execute();
}

export async function beginUndo(tx: Tx, id: number, by: { personId: number; now: Date }): Promise<void> {
  await tx
    .updateTable("mergeRun")
    .set({ state: "undoing", undoneBy: by.personId, undoneAt: toMoment(by.now) })
    .where("id", "=", id)
    .execute();
}

export async function restoreLosers(tx: Tx, run: Pick<MergeRun, "id" | "kind" | "winnerId">, now: Date) {
  for (const loser of await findLosers(tx, run.id)) {
    await tx
      .updateTable(run.kind)
      .set((eb) => ({
        status: loser.statusBefore,
        mergedIntoId: null,
        modifiedAt: toMoment(now),
        version: eb("version", "+", 1),
      }))
      .where("id", "=", loser.loserId)
      .where("mergedIntoId", "=", run.winnerId)
      .execute();
    const former = JSON.parse(loser.mergedBefore) as number[];
    if (former.length > 0)
      await tx
        .updateTable(run.kind)
        .set({ mergedIntoId: loser.loserId })
        .where("id", "in", former)
        .where("mergedIntoId", "=", run.winnerId)
        .execute();
  }
}

const BATCH_SIZE = 500;

const [OF_USER, OF_CLINIC] = ["user_clinic.user_id", "user_clinic.clinic_id"];

/** The winner gets all clinics of the losers, who keep theirs. */
export async function unionClinics(tx: Tx, runId: number, winnerId: number, loserIds: number[]): Promise<void> {
  const theirs = await tx
    .selectFrom("userClinic")
    .select(["clinicId", (eb) => eb.fn.min("userId").as("fromId")])
    .where("userId", "in", loserIds)
    .where("clinicId", "not in", (eb) => eb.selectFrom("userClinic").select("clinicId").where("userId", "=", winnerId))
    .groupBy("clinicId")
    .execute();
  if (theirs.length === 0) return;
  await tx
    .insertInto("userClinic")
    .values(theirs.map(({ clinicId }) => ({ userId: winnerId, clinicId, isPrimary: false })))
    .execute();
  await note(
    tx,
    runId,
    OF_USER!,
    theirs.map(({ clinicId, fromId }) => ({ rowId: clinicId, fromId: Number(fromId), detail: null })),
  );
}

/** Members of losing clinics join the winning one, which replaces a lost primary clinic. */
export async function moveMembers(tx: Tx, runId: number, winnerId: number, loserIds: number[]): Promise<void> {
  const members = await tx.selectFrom("userClinic").selectAll().where("clinicId", "in", loserIds).execute();
  const there = await tx.selectFrom("userClinic").select("userId").where("clinicId", "=", winnerId).execute();
  const wasThere = new Set(there.map(({ userId }) => userId));
  const primary = new Set(members.flatMap((row) => (row.isPrimary ? [row.userId] : [])));
  await tx.deleteFrom("userClinic").where("clinicId", "in", loserIds).execute();
  const added = [...new Set(members.map(({ userId }) => userId))].filter((id) => !wasThere.has(id));
  for (const some of chunks(added))
    await tx
      .insertInto("userClinic")
      .values(some.map((id) => ({ userId: id, clinicId: winnerId, isPrimary: primary.has(id) })))
      .execute();
  for (const some of chunks([...primary].filter((id) => wasThere.has(id))))
    await tx
      .updateTable("userClinic")
      .set({ isPrimary: true })
      .where("clinicId", "=", winnerId)
      .where("userId", "in", some)
      .execute();
  await note(
    tx,
    runId,
    OF_CLINIC!,
    members.map((row) => ({
      rowId: row.userId,
      fromId: row.clinicId,
      detail: [row.isPrimary ? "primary" : "", wasThere.has(row.userId) ? "both" : ""].filter(Boolean).join(" "),
    })),
  );
}

export async function revertMemberships(tx: Tx, { id, kind, winnerId }: Omit<MergeRun, "state">) {
  const place = kind === "user" ? OF_USER! : OF_CLINIC!;
  const moved = await tx
    .selectFrom("mergeMoved")
    .select(["rowId", "fromId", "detail"])
    .where("runId", "=", id)
    .where("place", "=", place)
    .where("outcome", "=", "moved")
    .execute();
  const now = await tx
    .selectFrom("userClinic")
    .selectAll()
    .where(kind === "user" ? "userId" : "clinicId", "=", winnerId)
    .execute();
  const standing = new Set(
    now.flatMap((row) => (kind === "clinic" ? [row.userId] : row.isPrimary ? [] : [row.clinicId])),
  );
  const [back, left] = [
    moved.filter((row) => standing.has(row.rowId)),
    moved.filter((row) => !standing.has(row.rowId)),
  ];
  if (kind === "clinic")
    for (const some of chunks(back))
      await insertUnlessThere(
        tx,
        "userClinic",
        some.map((row) => ({
          userId: row.rowId,
          clinicId: row.fromId,
          isPrimary: row.detail!.includes("primary"),
        })),
      );
  const added = back.filter((row) => !row.detail?.includes("both")).map((row) => row.rowId);
  for (const some of chunks(added)) await removeFrom(tx, kind, winnerId, some);
  const lent = back.filter((row) => row.detail === "primary both").map((row) => row.rowId);
  for (const some of chunks(lent))
    await tx
      .updateTable("userClinic")
      .set({ isPrimary: false })
      .where("clinicId", "=", winnerId)
      .where("userId", "in", some)
      .execute();
  for (const [outcome, rows] of [["back", back] as const, ["left", left] as const])
    for (const some of chunks(rows.map((row) => row.rowId)))
      await tx
        .updateTable("mergeMoved")
        .set({ outcome })
        .where("runId", "=", id)
        .where("place", "=", place)
        .where("rowId", "in", some)
        .execute();
}

const removeFrom = (tx: Tx, kind: MergeRun["kind"], winnerId: number, others: number[]) =>
  tx
    .deleteFrom("userClinic")
    .where(kind === "user" ? "userId" : "clinicId", "=", winnerId)
    .where(kind === "user" ? "clinicId" : "userId", "in", others)
    .execute();

async function note(
  tx: Tx,
  runId: number,
  place: string,
  rows: { rowId: number; fromId: number; detail: string | null }[],
): Promise<void> {
  for (const some of chunks(rows))
    await tx
      .insertInto("mergeMoved")
      .values(some.map((row) => ({ runId, place, outcome: "moved" as const, ...row })))
      .execute();
}

function chunks<T>(rows: T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / BATCH_SIZE) }, (_, index) =>
    rows.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );
}
