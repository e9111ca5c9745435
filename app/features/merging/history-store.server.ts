import type { DbOrTx } from "~db/connection.server";
import type { MergeKind } from "./merged-columns";

/** Merges that one won or lost, newest first. */
export function findRunsOf(db: DbOrTx, kind: MergeKind, id: number) {
  const lost = db.selectFrom("merge_loser").select("run_id").where("loser_id", "=", id);
  return db
    .selectFrom("merge_run")
    .select(["id", "winner_id", "state", "at", "undone_at"])
    .where("kind", "=", kind)
    .where((eb) => eb.or([eb("winner_id", "=", id), eb("id", "in", lost)]))
    .orderBy("id", "desc")
    .limit(20)
    .execute();
}

export const findLosersOf = (db: DbOrTx, runIds: number[]) =>
  db
    .selectFrom("merge_loser")
    .select(["run_id", "loser_id"])
    .where("run_id", "in", among(runIds))
    .orderBy("loser_id")
    .execute();

export const findLeft = (db: DbOrTx, runIds: number[]) =>
  db
    .selectFrom("merge_moved")
    .select(["run_id", "place", "row_id"])
    .where("run_id", "in", among(runIds))
    .where("outcome", "=", "left")
    .orderBy("run_id")
    .orderBy("place")
    .orderBy("row_id")
    .limit(1000)
    .execute();

/** User names or clinic titles, by id. */
export async function findKnownAs(db: DbOrTx, kind: MergeKind, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows =
    kind === "user"
      ? await db.selectFrom("user").select(["id", "user_name as name"]).where("id", "in", ids).execute()
      : await db.selectFrom("clinic").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const among = (ids: number[]) => (ids.length > 0 ? ids : [0]);
