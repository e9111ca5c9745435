import { insertUnlessThere, type Tx } from "~db/connection.server";
import type { MergeRun } from "./merge-run-store.server";

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
