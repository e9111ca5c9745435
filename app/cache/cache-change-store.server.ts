import { type Db, type DbOrTx, insertOrChange } from "~db/connection.server";
import { toMoment } from "~/text/dates";

export const findCacheChanges = (db: Db) =>
  db.selectFrom("cacheChange").select(["topic", "processId", "version"]).execute();

/** Each process inserts its own rows, so that none waits for another's lock. */
export async function recordCacheChanges(
  db: Db,
  change: { topics: string[]; processId: string; version: string; now: Date },
): Promise<void> {
  const { processId, version } = change;
  const changed = { version, changedAt: toMoment(change.now) };
  const rows = change.topics.map((topic) => ({ topic, processId, ...changed }));
  await insertOrChange(db, "cacheChange", rows, ["topic", "processId"], () => changed);
}

export async function removeCacheChanges(db: DbOrTx, before: Date): Promise<void> {
  await db.deleteFrom("cacheChange").where("changedAt", "<", toMoment(before)).execute();
}
