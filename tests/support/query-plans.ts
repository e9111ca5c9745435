import { CompiledQuery } from "kysely";
import type { Db } from "~db/connection.server";
import { recordStatements } from "./record-statements";

/** How SQLite goes about each statement of `work` that names many rows by their numbers: the statement, and its steps. */
export async function plansByNumbers(db: Db, work: (db: Db) => Promise<unknown>) {
  const { db: recording, asked } = recordStatements(db);
  await work(recording);
  const plans = [];
  for (const { sql, parameters } of asked) {
    if (!/ in \((\?, ){10,}\?\)/.test(sql)) continue;
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
    );
    plans.push({ sql, steps: rows.map(({ detail }) => detail) });
  }
  return plans;
}
