import type { Db, DbOrTx } from "~db/connection.server";
import { isMysql } from "~db/connection.server";
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
  const insert = db
    .insertInto("cache_change")
    .values(change.topics.map((topic) => ({ topic, process_id, ...changed })));
  await (
    isMysql(db)
      ? insert.onDuplicateKeyUpdate(changed)
      : insert.onConflict((conflict) => conflict.columns(["topic", "process_id"]).doUpdateSet(changed))
  ).execute();
}

export async function removeCacheChanges(db: DbOrTx, before: Date): Promise<void> {
  await db.deleteFrom("cache_change").where("changed_at", "<", toMoment(before)).execute();
}
