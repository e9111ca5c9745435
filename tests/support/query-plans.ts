import { CompiledQuery } from "kysely";
import type { Db } from "~db/connection.server";
import { recordStatements } from "./record-statements";

/** How SQLite goes about each statement of `work` that is `wanted`: the statement, and its steps. */
export async function plansOf(
  db: Db,
  work: (db: Db) => Promise<unknown>,
  wanted: (sql: string) => boolean = () => true,
) {
  const { db: recording, recorded } = recordStatements(db);
  await work(recording);
  const plans = [];
  for (const { sql, parameters } of recorded) {
    if (!wanted(sql)) continue;
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
    );
    plans.push({ sql, steps: rows.map(({ detail }) => detail) });
  }
  return plans;
}

/** The same of the statements that name many rows by their numbers. */
export const plansByNumbers = (db: Db, work: (db: Db) => Promise<unknown>) =>
  plansOf(db, work, (sql) => / in \((\?, ){10,}\?\)/.test(sql));
