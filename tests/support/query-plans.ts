import { CompiledQuery, sql as raw } from "kysely";
import { type Db, openSqlite } from "~db/connection.server";
import { recordStatements } from "./record-statements";

/** SQLite's plan of each wanted statement of `work`. */
export async function plansOf(
  db: Db,
  work: (db: Db) => Promise<unknown>,
  wanted: (sql: string) => boolean = () => true,
) {
  const { db: recording, recorded } = recordStatements(db);
  await work(recording);
  const { rows: files } = await raw<{ file: string }>`select file from pragma_database_list`.execute(db);
  // A separate connection: libsql counts an explained write as under way and commits nothing more on its connection.
  const explaining = openSqlite(files[0]!.file);
  try {
    const plans: { sql: string; steps: string[] }[] = [];
    for (const { sql, parameters } of recorded.filter((statement) => wanted(statement.sql))) {
      const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
      const { rows } = await explaining.executeQuery<{ detail: string }>(explained);
      plans.push({ sql, steps: rows.map(({ detail }) => detail) });
    }
    return plans;
  } finally {
    await explaining.destroy();
  }
}

/** Plans of statements with many ids. */
export const plansByNumbers = (db: Db, work: (db: Db) => Promise<unknown>) =>
  plansOf(db, work, (sql) => / in \((\?, ){10,}\?\)/.test(sql));
