import { sql } from "kysely";
import { type Db, isMysql } from "~db/connection.server";

/** The schema and the rows of a database as SQL text, a statement to a line or more, each ended by `;` and a line break. */
export async function dumpDatabase(db: Db): Promise<string> {
  const made = isMysql(db) ? await mariaDbDefinitions(db) : await sqliteDefinitions(db);
  const filled: string[] = [];
  for (const { table } of made) filled.push(...(await insertsOf(db, table)));
  return [...made.flatMap(({ statements }) => statements), ...filled].map((statement) => `${statement};\n`).join("");
}

/** Runs a dump in an empty database; foreign keys are checked again afterwards. */
export async function loadDump(db: Db, dump: string): Promise<void> {
  await withoutForeignKeys(db, async (one) => {
    for (const statement of dump.split(";\n").slice(0, -1)) await sql.raw(statement).execute(one);
  });
}

/** The database before its first start. */
export async function dropTables(db: Db): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  await withoutForeignKeys(db, async (one) => {
    for (const { name } of tables) await sql`drop table ${sql.table(name)}`.execute(one);
  });
}

/** Runs `work` on one connection that does not check foreign keys, such as for dropping tables in any order. */
export async function withoutForeignKeys(db: Db, work: (db: Db) => Promise<void>): Promise<void> {
  const set = (isOn: boolean) =>
    sql.raw(isMysql(db) ? `set foreign_key_checks = ${isOn}` : `pragma foreign_keys = ${isOn}`);
  await db.connection().execute(async (one) => {
    await set(false).execute(one);
    await work(one);
    await set(true).execute(one);
  });
}

interface Definition {
  table: string;
  statements: string[];
}

async function sqliteDefinitions(db: Db): Promise<Definition[]> {
  const { rows } = await sql<{ type: string; table: string; text: string }>`
    select type, tbl_name as "table", sql as text from sqlite_master
    where sql is not null and name not like 'sqlite_%' order by tbl_name, type = 'index', name`.execute(db);
  const tables = rows.filter(({ type }) => type === "table").map(({ table }) => table);
  return tables.map((table) => ({
    table,
    statements: rows.filter((row) => row.table === table).map(({ text }) => text),
  }));
}

async function mariaDbDefinitions(db: Db): Promise<Definition[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ "Create Table": string }>`show create table ${sql.table(name)}`.execute(db);
      return { table: name, statements: [rows[0]!["Create Table"]] };
    }),
  );
}

/** Computed columns are left out: the database fills them. */
async function insertsOf(db: Db, table: string): Promise<string[]> {
  const { rows: columns } = isMysql(db)
    ? await sql<{ name: string }>`
        select column_name as name from information_schema.columns
        where table_schema = database() and table_name = ${table} and extra not like '%GENERATED%'
        order by ordinal_position`.execute(db)
    : await sql<{ name: string }>`select name from pragma_table_xinfo(${table}) where hidden = 0`.execute(db);
  const quoted = columns.map(({ name }) => sql`quote(${sql.ref(name)})`.as(name));
  const { rows } = await sql<Record<string, string>>`select ${sql.join(quoted)} from ${sql.table(table)}`.execute(db);
  const names = columns.map(({ name }) => (isMysql(db) ? `\`${name}\`` : `"${name}"`)).join(", ");
  const tableName = isMysql(db) ? `\`${table}\`` : `"${table}"`;
  return rows.map(
    (row) =>
      `insert into ${tableName} (${names}) values (${columns.map(({ name }) => row[name] ?? "NULL").join(", ")})`,
  );
}
