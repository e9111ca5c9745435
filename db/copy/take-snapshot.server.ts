import Database from "libsql";
import { sql } from "kysely";
import { type Db, isMysql, openSqlite } from "../connection.server";
import { migrate } from "../migrate.server";
import { copiedTables, copyRows, writtenColumns } from "./copied-tables.server";

/**
 * Writes the whole database, as it was at one moment, into a new SQLite file while others go on writing: SQLite by its own VACUUM INTO, MySQL
 * and MariaDB row by row in one consistent snapshot. Both hold no lock that a writer waits for.
 */
export async function takeSnapshot(db: Db, { source, file }: { source: string; file: string }): Promise<void> {
  if (isMysql(db)) return readSnapshot(db, file);
  const database = new Database(source, { timeout: 60_000 });
  try {
    database.prepare("vacuum into ?").run(file);
  } finally {
    database.close();
  }
}

async function readSnapshot(db: Db, file: string): Promise<void> {
  const copy = openSqlite(file);
  try {
    await migrate(copy);
    await db.connection().execute(async (connection) => {
      await sql`set session transaction isolation level repeatable read`.execute(connection);
      await sql`start transaction with consistent snapshot, read only`.execute(connection);
      try {
        for (const table of await copiedTables(copy))
          await copy.transaction().execute(async (tx) => {
            // Rows inserted by the migrations are among those copied.
            await sql`delete from ${sql.table(table)}`.execute(tx);
            await copyRows(connection, tx, table, await writtenColumns(tx as unknown as Db, table));
          });
        await copyNextIds(connection, copy);
      } finally {
        await sql`rollback`.execute(connection);
        await sql`set session transaction isolation level read committed`.execute(connection);
      }
    });
  } finally {
    await closeWhole(copy);
  }
}

/** The next id of each table, so that ids of deleted rows are not reused. */
async function copyNextIds(connection: Db, copy: Db): Promise<void> {
  const { rows } = await sql<{ name: string; next: number }>`
    select table_name as name, auto_increment as next from information_schema.tables
    where table_schema = database() and auto_increment is not null`.execute(connection);
  for (const { name, next } of rows) {
    await sql`delete from sqlite_sequence where name = ${name}`.execute(copy);
    await sql`insert into sqlite_sequence (name, seq) values (${name}, ${Number(next) - 1})`.execute(copy);
  }
}

/** Closes a SQLite file without a journal file beside it, so that it can be moved alone. */
export async function closeWhole(copy: Db): Promise<void> {
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(copy);
    await sql`pragma journal_mode = delete`.execute(copy);
  } finally {
    await copy.destroy();
  }
}
