import { sql } from "kysely";
import { type Db, type DbOrTx, inTransaction, insertOrChange } from "~db/connection.server";
import { toMoment } from "~/text/dates";

/** Counts one attempt, in a new window when the last began before `oldest`; returns the window's count and start. */
export function countAttempt(
  db: Db,
  id: string,
  { now, oldest }: { now: Date; oldest: Date },
): Promise<{ hits: number; windowStart: string }> {
  return inTransaction(db, async (tx) => {
    // A single upsert locks the row for writing at once; insert-then-update deadlocks on MariaDB.
    const isOver = sql`throttle.window_start < ${toMoment(oldest)}`;
    const counted = {
      hits: sql<number>`case when ${isOver} then 1 else throttle.hits + 1 end`,
      // Must be last: MariaDB assigns from left to right.
      windowStart: sql<string>`case when ${isOver} then ${toMoment(now)} else throttle.window_start end`,
    };
    await insertOrChange(tx, "throttle", { id, windowStart: toMoment(now), hits: 1 }, ["id"], () => counted);
    return tx.selectFrom("throttle").select(["hits", "windowStart"]).where("id", "=", id).executeTakeFirstOrThrow();
  });
}

export async function deleteAttempts(db: DbOrTx, id: string): Promise<void> {
  await db.deleteFrom("throttle").where("id", "=", id).execute();
}

export async function uncountAttempt(db: DbOrTx, id: string): Promise<void> {
  await db
    .updateTable("throttle")
    .set((eb) => ({ hits: eb("hits", "-", 1) }))
    .where("id", "=", id)
    .where("hits", ">", 0)
    .execute();
}

export async function removeAttempts(db: DbOrTx, before: Date): Promise<void> {
  await db.deleteFrom("throttle").where("windowStart", "<", toMoment(before)).execute();
}
