import { type Db, type DbOrTx, insertOrChange } from "~db/connection.server";
import { toMoment } from "~/text/dates";

export const findCacheChanges = (db: Db) =>
  db.selectFrom("cache_change").select(["topic", "process_id", "version"]).execute();

/** Each process inserts its own rows, so that none waits for another's lock. */
export async function recordCacheChanges(
  db: Db,
  change: { topics: string[]; processId: string; version: string; now: Date },
): Promise<void> {
  const { processId: process_id, version } = change;
  const changed = { version, changed_at: toMoment(change.now) };
  const rows = change.topics.map((topic) => ({ topic, process_id, ...changed }));
  await insertOrChange(db, "cache_change", rows, ["topic", "process_id"], () => changed);
}

export async function removeCacheChanges(db: DbOrTx, before: Date): Promise<void> {
  await db.deleteFrom("cache_change").where("changed_at", "<", toMoment(before)).execute();
}
