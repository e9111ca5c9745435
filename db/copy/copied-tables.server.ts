import { sql } from "kysely";
import type { Db, DbOrTx } from "../connection.server";

/** Rows per statement; a row has at most about 250 KiB of text. */
const BATCH_SIZE = 100;

/** Written by the migrations, or about this installation only. */
const NOT_COPIED: ReadonlySet<string> = new Set(["kysely_migration", "kysely_migration_lock", "upkeep"]);

/** Names of the tables that a copy contains, each after those that its foreign keys name. `db` is SQLite's. */
export async function copiedTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ child: string; parent: string }>`
    select tables.name as child, parents."table" as parent
    from sqlite_master as tables, pragma_foreign_key_list(tables.name) as parents
    where tables.type = 'table'`.execute(db);
  const ordered = new Set<string>();
  const add = (table: string) => {
    if (ordered.has(table)) return;
    for (const { child, parent } of rows) if (child === table) add(parent);
    ordered.add(table);
  };
  const tables = await db.introspection.getTables();
  for (const name of tables.map((table) => table.name).sort())
    if (!NOT_COPIED.has(name) && !name.startsWith("sqlite_")) add(name);
  return [...ordered];
}

/** Columns of a table that are written, not computed. `db` is SQLite's; the other database has the same. */
export async function writtenColumns(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string; hidden: number }>`
    select name, hidden from pragma_table_xinfo(${table})`.execute(db);
  return rows.filter(({ hidden }) => hidden === 0).map(({ name }) => name);
}

type Row = Record<string, unknown>;

/** Copies all rows of a table into an empty one in batches; returns their number. */
export async function copyRows(from: DbOrTx, to: DbOrTx, table: string, columns: string[]): Promise<number> {
  const [source, target] = [from, to] as unknown as Record<"selectFrom" | "insertInto", (table: string) => any>[];
  let count = 0;
  let waiting: Row[] = [];
  const write = async () => {
    if (waiting.length > 0) await target!.insertInto(table).values(waiting).execute();
    count += waiting.length;
    waiting = [];
  };
  for await (const row of source!.selectFrom(table).select(columns).stream(BATCH_SIZE) as AsyncIterable<Row>) {
    waiting.push(row);
    if (waiting.length >= BATCH_SIZE) await write();
  }
  await write();
  return count;
}

export async function countRows(db: DbOrTx, table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
  return Number(rows[0]!.n);
}
