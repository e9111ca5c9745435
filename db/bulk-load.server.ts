import { sql } from "kysely";
import { type Db, isMysql } from "./connection.server";
import type { Database } from "./schema";

/**
 * Runs `work` while some tables are without the indexes that only make reading quick, and makes them when it has ended: sorting a million
 * keys once costs a fraction of finding a million places. For filling an empty database before anybody reads it; whoever kills it half-way begins
 * anew. MySQL and MariaDB keep theirs, which their foreign keys stand on.
 */
export async function withoutIndexes(db: Db, tables: (keyof Database)[], work: () => Promise<void>): Promise<void> {
  if (isMysql(db)) return work();
  // What a table's own keys need has no text.
  const { rows: indexes } = await sql<{ name: string; text: string }>`
    select name, sql as text from sqlite_master
    where type = 'index' and tbl_name in (${sql.join(tables)}) and sql is not null and sql not like 'create unique%'`.execute(
    db,
  );
  for (const { name } of indexes) await db.schema.dropIndex(name).execute();
  try {
    await work();
  } finally {
    for (const { text } of indexes) await sql.raw(text).execute(db);
  }
}
