import { type Kysely, type RawBuilder, sql } from "kysely";
import { changeChecks, type ChangedChecks } from "./changed-checks.server";
import { isMysql } from "./dialect.server";

/**
 * A table as data. A column is its type and what else SQL says of it, such as `varchar(40) not null default ''`. Types whose names differ in the
 * two dialects: `id` (numeric key, counted up), `reference` (an `id` elsewhere), `longText` (beyond 64 KiB), `moment` (UTC, ISO 8601
 * with milliseconds), `day` (`YYYY-MM-DD`), `flag` (0 or 1, which the database checks). A computed column takes no room of its own, but can be indexed.
 */
type ColumnType =
  | "id"
  | "reference"
  | "moment"
  | "day"
  | "flag"
  | "text"
  | "longText"
  | "smallint"
  | "integer"
  | "bigint"
  | `varchar(${number})`
  | `char(${number})`;
export type Column = `${ColumnType}${"" | " not null" | ` not null default ${string}`}`;

/** `isNull`: it may be null, which neither database can be told of a computed column. */
export type ComputedColumns = Readonly<Record<string, { type: ColumnType; from: string; isNull?: true }>>;

interface Table {
  columns: Readonly<Record<string, Column>>;
  computed?: ComputedColumns;
  /** Conditions of every row: closed sets of numbers. Sets of words are checked in code. */
  checks?: readonly string[];
  /** Column to the table it names and what a delete there does here: `referral_id: "referral cascade"`. An index begins with it. */
  keys?: Readonly<Record<string, `${string} ${"cascade" | "restrict"}`>>;
  /** Default: the column `id`. */
  primaryKey?: readonly string[];
  unique?: Indexes;
  indexes?: Indexes;
}

/** Index to its columns. */
type Indexes = Readonly<Record<string, readonly string[]>>;

export type Tables = Readonly<Record<string, Table>>;

/**
 * What a migration changes, as data: what it adds to tables that there are, the indexes that it drops, and the
 * conditions that it replaces.
 */
export interface Changes {
  tables?: Tables;
  columns?: Readonly<Record<string, Readonly<Record<string, Column>>>>;
  computed?: Readonly<Record<string, ComputedColumns>>;
  unique?: Readonly<Record<string, Indexes>>;
  indexes?: Readonly<Record<string, Indexes>>;
  droppedIndexes?: Readonly<Record<string, readonly string[]>>;
  checks?: Readonly<Record<string, ChangedChecks>>;
}

/** Makes a migration's changes, except those that an interrupted one has made. */
export async function applyChanges(db: Kysely<any>, changes: Changes): Promise<void> {
  await createTables(db, changes.tables ?? {});
  for (const [table, columns] of Object.entries(changes.columns ?? {}))
    for (const [column, text] of Object.entries(columns)) await addColumn(db, table, writtenColumn(db, column, text));
  for (const [table, columns] of Object.entries(changes.computed ?? {}))
    for (const [column, made] of Object.entries(columns)) await addColumn(db, table, computedColumn(column, made));
  for (const [table, unique] of Object.entries(changes.unique ?? {})) await createIndexes(db, table, unique, true);
  for (const [table, indexes] of Object.entries(changes.indexes ?? {})) await createIndexes(db, table, indexes, false);
  for (const [table, names] of Object.entries(changes.droppedIndexes ?? {}))
    for (const name of names) await dropIndex(db, table, name);
  for (const [table, checks] of Object.entries(changes.checks ?? {})) await changeChecks(db, table, checks);
}

/**
 * Creates missing tables and indexes. MySQL does not roll back definitions, so an interrupted migration is repeated.
 * Text is compared by bytes on both databases.
 */
async function createTables(db: Kysely<any>, tables: Tables): Promise<void> {
  const end = isMysql(db) ? sql` engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin` : sql``;
  for (const [
    name,
    { columns, computed = {}, checks = [], keys = {}, primaryKey, unique = {}, indexes = {} },
  ] of Object.entries(tables)) {
    const definitions: RawBuilder<unknown>[] = [
      ...Object.entries(columns).map(([column, text]) => sql`${sql.ref(column)} ${sql.raw(inDialect(db, text))}`),
      ...Object.entries(computed).map(([column, made]) => computedColumn(column, made)),
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
    await createIndexes(db, name, unique, true);
    await createIndexes(db, name, indexes, false);
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

const computedColumn = (column: string, { type, from }: ComputedColumns[string]) =>
  sql`${sql.ref(column)} ${sql.raw(type)} generated always as (${sql.raw(from)}) virtual`;

/** `text` as in `Tables`. */
function writtenColumn(db: Kysely<any>, column: string, text: string) {
  const check = text.startsWith("flag") ? sql` check (${sql.ref(column)} in (0, 1))` : sql``;
  return sql`${sql.ref(column)} ${sql.raw(inDialect(db, text))}${check}`;
}

/** Adds a column unless an interrupted migration did. */
async function addColumn(db: Kysely<any>, table: string, definition: RawBuilder<unknown>): Promise<void> {
  try {
    await sql`alter table ${sql.table(table)} add column ${definition}`.execute(db);
  } catch (error) {
    if ((error as { code?: string }).code !== "ER_DUP_FIELDNAME") throw error;
  }
}

/** Drops an index unless an interrupted migration did. */
async function dropIndex(db: Kysely<any>, table: string, name: string): Promise<void> {
  const drop = db.schema.dropIndex(name);
  try {
    await (isMysql(db) ? drop.on(table) : drop.ifExists()).execute();
  } catch (error) {
    if ((error as { code?: string }).code !== "ER_CANT_DROP_FIELD_OR_KEY") throw error;
  }
}

async function createIndexes(db: Kysely<any>, table: string, indexes: Indexes, isUnique: boolean): Promise<void> {
  for (const [name, columns] of Object.entries(indexes)) {
    const index = db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns]);
    const create = isUnique ? index.unique() : index;
    try {
      await (isMysql(db) ? create : create.ifNotExists()).execute();
    } catch (error) {
      if ((error as { code?: string }).code !== "ER_DUP_KEYNAME") throw error;
    }
  }
}
