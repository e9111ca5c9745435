import Database from "libsql";
import { sql as raw } from "kysely";
import type { Db } from "~db/connection.server";
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
  const explaining = new Database(files[0]!.file);
  try {
    return recorded
      .filter(({ sql }) => wanted(sql))
      .map(({ sql, parameters }) => {
        const rows = explaining.prepare(`explain query plan ${sql}`).all(parameters as unknown[]);
        return { sql, steps: (rows as { detail: string }[]).map(({ detail }) => detail) };
      });
  } finally {
    explaining.close();
  }
}

/** Plans of statements with many ids. */
export const plansByNumbers = (db: Db, work: (db: Db) => Promise<unknown>) =>
  plansOf(db, work, (sql) => / in \((\?, ){10,}\?\)/.test(sql));
