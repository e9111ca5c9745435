import { sql } from "kysely";
import { type Db, isMysql } from "./connection.server";
import { databaseName } from "./names.server";
import type { Database } from "./schema";

/**
 * Runs `work` while some tables lack the indexes that are needed for reading only, and creates them afterwards: sorting
 * a million keys once is faster than inserting them one by one. For an empty database. MySQL and MariaDB keep theirs,
 * which foreign keys need.
 */
export async function withoutIndexes(db: Db, tables: (keyof Database)[], work: () => Promise<void>): Promise<void> {
  if (isMysql(db)) return work();
  // Indexes of a table's own keys have no SQL text.
  const { rows: indexes } = await sql<{ name: string; text: string }>`
    select name, sql as text from sqlite_master
    where type = 'index' and tbl_name in (${sql.join(tables.map(databaseName))}) and sql is not null and sql not like 'create unique%'`.execute(
    db,
  );
  for (const { name } of indexes) await db.schema.dropIndex(name).execute();
  try {
    await work();
  } finally {
    for (const { text } of indexes) await sql.raw(text).execute(db);
  }
}
