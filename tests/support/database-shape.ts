import { sql } from "kysely";
import { type Db, isMysql } from "~db/connection.server";

/** Columns, keys, checks and indexes of each table, as the database describes them, whatever their order. */
export async function databaseShape(db: Db): Promise<Record<string, string[]>> {
  const tables = await db.introspection.getTables();
  const shapes = await Promise.all(
    tables.map(async ({ name }) => [name, (await (isMysql(db) ? ofMariaDb : ofSqlite)(db, name)).sort()] as const),
  );
  return Object.fromEntries(shapes);
}

async function ofSqlite(db: Db, table: string): Promise<string[]> {
  const { rows: columns } = await sql<Record<string, unknown>>`
    select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(${table})`.execute(db);
  const { rows: keys } = await sql<Record<string, unknown>>`
    select "from", "table", "to", on_delete, seq from pragma_foreign_key_list(${table})`.execute(db);
  const { rows: indexes } = await sql<Record<string, unknown>>`
    select case when list.origin = 'c' then list.name else list.origin end as name, list."unique" as is_unique,
      group_concat(info.name) as columns
    from pragma_index_list(${table}) as list join pragma_index_info(list.name) as info group by list.name`.execute(db);
  const { rows: made } = await sql<{ text: string }>`
    select sql as text from sqlite_master where type = 'table' and name = ${table}`.execute(db);
  return [...[...columns, ...keys, ...indexes].map((row) => JSON.stringify(row)), ...conditionsIn(made[0]!.text)];
}

/** `check (…)` and `generated always as (…)`, with their nested brackets. */
function conditionsIn(definition: string): string[] {
  return [...definition.matchAll(/(check|generated always as) \(/gi)].map(({ index }) => {
    let depth = 0;
    let end = definition.indexOf("(", index);
    do {
      if (definition[end] === "(") depth += 1;
      if (definition[end] === ")") depth -= 1;
      end += 1;
    } while (depth > 0);
    return definition.slice(index, end);
  });
}

async function ofMariaDb(db: Db, table: string): Promise<string[]> {
  const ofTable = sql`table_schema = database() and table_name = ${table}`;
  const queries = [
    sql`select column_name, column_type, is_nullable, column_default, extra, generation_expression, collation_name
      from information_schema.columns where ${ofTable}`,
    sql`select index_name, non_unique, seq_in_index, column_name from information_schema.statistics where ${ofTable}`,
    sql`select usages.column_name, usages.referenced_table_name, usages.referenced_column_name, keys_.delete_rule
      from information_schema.key_column_usage as usages
      join information_schema.referential_constraints as keys_ on keys_.constraint_schema = usages.table_schema
        and keys_.constraint_name = usages.constraint_name and keys_.table_name = usages.table_name
      where usages.table_schema = database() and usages.table_name = ${table}`,
    sql`select check_clause from information_schema.check_constraints
      where constraint_schema = database() and table_name = ${table}`,
  ];
  const found = await Promise.all(queries.map((query) => query.execute(db)));
  return found.flatMap(({ rows }) => rows.map((row) => JSON.stringify(row)));
}
