import { type Kysely, type RawBuilder, sql } from "kysely";
import { isMysql } from "./connection.server";

/**
 * A table as data. A column is its type and what else SQL says of it, such as `varchar(40) not null default ''`. Types whose names differ in the
 * two dialects: `id` (numeric key, counted up), `reference` (an `id` elsewhere), `longText` (beyond 64 KiB), `moment` (UTC, ISO 8601
 * with milliseconds), `day` (`YYYY-MM-DD`), `flag` (0 or 1, which the database checks). A computed column takes no room of its own, but can be indexed.
 */
interface Table {
  columns: Record<string, string>;
  computed?: Record<string, { type: string; from: string }>;
  /** Conditions of every row: closed sets of numbers. Sets of words are checked in code. */
  checks?: string[];
  /** Column to the table it names and what a delete there does here: `referral_id: "referral cascade"`. An index begins with it. */
  keys?: Record<string, `${string} ${"cascade" | "restrict"}`>;
  /** Default: the column `id`. */
  primaryKey?: string[];
  unique?: Record<string, string[]>;
  indexes?: Record<string, string[]>;
}

export type Tables = Readonly<Record<string, Table>>;

/**
 * Creates missing tables and indexes. MySQL does not roll back definitions, so an interrupted migration is repeated.
 * Text is compared by bytes on both databases.
 */
export async function createTables(db: Kysely<any>, tables: Tables): Promise<void> {
  const end = isMysql(db) ? sql` engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin` : sql``;
  for (const [
    name,
    { columns, computed = {}, checks = [], keys = {}, primaryKey, unique = {}, indexes = {} },
  ] of Object.entries(tables)) {
    const definitions: RawBuilder<unknown>[] = [
      ...Object.entries(columns).map(([column, text]) => sql`${sql.ref(column)} ${sql.raw(inDialect(db, text))}`),
      ...Object.entries(computed).map(
        ([column, { type, from }]) =>
          sql`${sql.ref(column)} ${sql.raw(type)} generated always as (${sql.raw(from)}) virtual`,
      ),
      ...Object.entries(columns)
        .filter(([, text]) => text.startsWith("flag"))
        .map(([column]) => sql`check (${sql.ref(column)} in (0, 1))`),
      ...checks.map((check) => sql`check (${sql.raw(check)})`),
      ...Object.entries(keys).map(([column, key]) => {
        const [parent, onDelete] = key.split(" ") as [string, string];
        return sql`foreign key (${sql.ref(column)}) references ${sql.table(parent)} (id) on delete ${sql.raw(onDelete)}`;
      }),
      ...(primaryKey ? [sql`primary key (${sql.join(primaryKey.map((column) => sql.ref(column)))})`] : []),
    ];
    await sql`create table if not exists ${sql.table(name)} (${sql.join(definitions)})${end}`.execute(db);
    for (const [index, on] of Object.entries(unique)) await createIndex(db, index, name, on, true);
    for (const [index, on] of Object.entries(indexes)) await createIndex(db, index, name, on, false);
  }
}

function inDialect(db: Kysely<any>, text: string): string {
  const [type, ...rest] = text.split(" ");
  const types: Record<string, string> = isMysql(db)
    ? { id: "bigint primary key auto_increment", reference: "bigint", longText: "mediumtext" }
    : { id: "integer primary key autoincrement", reference: "integer", longText: "text" };
  const written = { moment: "varchar(24)", day: "varchar(10)", flag: "smallint", ...types }[type!] ?? type;
  return [written, ...rest].join(" ");
}

/** Adds a column unless an interrupted migration did; `text` as in `Tables`. */
export async function addColumn(db: Kysely<any>, table: string, column: string, text: string): Promise<void> {
  const check = text.startsWith("flag") ? sql` check (${sql.ref(column)} in (0, 1))` : sql``;
  try {
    await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${sql.raw(inDialect(db, text))}${check}`.execute(
      db,
    );
  } catch (error) {
    if ((error as { code?: string }).code !== "ER_DUP_FIELDNAME") throw error;
  }
}

/** Adds indexes to a table unless an interrupted migration did. */
export async function addIndex(
  db: Kysely<any>,
  table: string,
  indexes: Record<string, string[]>,
  kind: "unique" | "plain",
): Promise<void> {
  for (const [name, columns] of Object.entries(indexes)) await createIndex(db, name, table, columns, kind === "unique");
}

/** Drops an index unless an interrupted migration did. */
export async function dropIndex(db: Kysely<any>, table: string, name: string): Promise<void> {
  const drop = db.schema.dropIndex(name);
  try {
    await (isMysql(db) ? drop.on(table) : drop.ifExists()).execute();
  } catch (error) {
    if ((error as { code?: string }).code !== "ER_CANT_DROP_FIELD_OR_KEY") throw error;
  }
}

async function createIndex(db: Kysely<any>, name: string, table: string, columns: string[], isUnique: boolean) {
  const index = db.schema.createIndex(name).on(table).columns(columns);
  const create = isUnique ? index.unique() : index;
  try {
    await (isMysql(db) ? create : create.ifNotExists()).execute();
  } catch (error) {
    if ((error as { code?: string }).code !== "ER_DUP_KEYNAME") throw error;
  }
}
