import { sql } from "kysely";
import type { Db } from "../connection.server";
import { migrateTo } from "../migrate.server";
import { copiedTables, copyRows, countRows, writtenColumns } from "./copied-tables.server";

/** Table that marks an interrupted restore, as opposed to a database in use. */
const RESTORING = "restoring";

/** A database with rows in one of these is in use. */
const TELLING = ["user", "referral", "outbox", "stored_file", "audit_event", "clinic"];

/** Describes an existing database's contents; null if it is empty or a restore into it was interrupted. */
export async function describeContents(db: Db): Promise<string | null> {
  const there = new Set((await db.introspection.getTables()).map(({ name }) => name));
  if (there.has("upkeep")) {
    const marked = await db.selectFrom("upkeep").select("name").where("name", "=", RESTORING).executeTakeFirst();
    if (marked) return null;
  }
  const found: string[] = [];
  for (const table of TELLING) {
    const count = there.has(table) ? await countRows(db, table) : 0;
    if (count > 0) found.push(`${count} rows in ${table}`);
  }
  return found.length === 0 ? null : found.join(", ");
}

/**
 * Makes an empty MySQL or MariaDB database what a copy is: its schema as it was then, that it is a copy before anything else, its rows, its
 * next numbers. MySQL cannot take back a definition, so an interrupted run is known by its mark, and begins anew.
 * Throws where a table has other than the copy's number of rows.
 */
export async function fillDatabase(copy: Db, db: Db): Promise<void> {
  const tables = await copiedTables(copy);
  for (const table of [...tables.toReversed(), "upkeep", "kysely_migration", "kysely_migration_lock"])
    await sql`drop table if exists ${sql.table(table)}`.execute(db);
  await migrateTo(db, await newestMigration(copy));
  const marks = await copy.selectFrom("upkeep").selectAll().execute();
  await db
    .insertInto("upkeep")
    .values([...marks, { name: RESTORING, at: marks[0]?.at ?? "" }])
    .execute();
  for (const table of tables) {
    await sql`delete from ${sql.table(table)}`.execute(db);
    const columns = await writtenColumns(copy, table);
    const written = await db.transaction().execute((tx) => copyRows(copy, tx, table, columns));
    const expected = await countRows(copy, table);
    if (written !== expected) throw new Error(`${table}: ${written} rows of ${expected} were written`);
  }
  const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(copy);
  for (const { name, seq } of rows)
    if (tables.includes(name))
      await sql`alter table ${sql.table(name)} auto_increment = ${sql.lit(Number(seq) + 1)}`.execute(db);
  await db.deleteFrom("upkeep").where("name", "=", RESTORING).execute();
}

async function newestMigration(copy: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(copy);
  return rows[0]!.name;
}
