import { type Kysely, sql } from "kysely";
import { isMysql } from "./dialect.server";

/** Conditions of a table's rows, each with the one that replaces it. */
export type ChangedChecks = Readonly<Record<string, string>>;

/**
 * Replaces conditions of a table unless that has been done. Throws if the table has neither condition, or on SQLite if
 * a row does not meet the new one. A process that is killed meanwhile leaves the table as it was or changed whole.
 */
export async function changeChecks(db: Kysely<any>, table: string, changed: ChangedChecks): Promise<void> {
  if (isMysql(db)) await alterChecks(db, table, changed);
  else await rebuildWithChecks(db, table, changed);
}

async function alterChecks(db: Kysely<any>, table: string, changed: ChangedChecks): Promise<void> {
  const { rows } = await sql<{ name: string; clause: string }>`
    select constraint_name as name, check_clause as clause from information_schema.check_constraints
    where constraint_schema = database() and table_name = ${table}`.execute(db);
  const bare = (clause: string) => clause.toLowerCase().replace(/[`\s]/g, "");
  for (const [from, to] of Object.entries(changed)) {
    if (rows.some(({ clause }) => bare(clause) === bare(to))) continue;
    const old = rows.find(({ clause }) => bare(clause) === bare(from));
    if (!old) throw new Error(`The table ${table} has no check (${from})`);
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(old.name)}, add check (${sql.raw(to)})`.execute(
      db,
    );
  }
}

/**
 * SQLite cannot change a check, so the table is created anew, filled and renamed, in one transaction. Foreign keys are
 * off meanwhile: dropping the old table would delete the rows that name its own.
 */
async function rebuildWithChecks(db: Kysely<any>, table: string, changed: ChangedChecks): Promise<void> {
  await sql`pragma foreign_keys = off`.execute(db);
  try {
    await db.transaction().execute(async (tx) => {
      // The pragma does nothing within a transaction that somebody else has begun.
      const { rows: on } = await sql`select 1 from pragma_foreign_keys where foreign_keys = 1`.execute(tx);
      if (on.length > 0) throw new Error(`The table ${table} cannot be rebuilt while foreign keys are checked`);
      const { rows: made } = await sql<{ type: string; name: string; text: string }>`
        select type, name, sql as text from sqlite_master where tbl_name = ${table} and sql is not null`.execute(tx);
      const definition = made.find(({ type }) => type === "table")!.text;
      const rebuilt = withChecks(table, definition, changed);
      if (rebuilt === definition) return;
      const next = `${table}_rebuilt`;
      await sql.raw(rebuilt.replace(`"${table}"`, `"${next}"`)).execute(tx);
      // A computed column cannot be written.
      const { rows: columns } = await sql<{ name: string }>`
        select name from pragma_table_xinfo(${table}) where hidden = 0 order by cid`.execute(tx);
      const names = sql.join(columns.map(({ name }) => sql.ref(name)));
      await sql`insert into ${sql.table(next)} (${names}) select ${names} from ${sql.table(table)}`.execute(tx);
      // An id is never given again.
      await sql`delete from sqlite_sequence where name = ${next}`.execute(tx);
      await sql`insert into sqlite_sequence select ${next}, seq from sqlite_sequence where name = ${table}`.execute(tx);
      await sql`drop table ${sql.table(table)}`.execute(tx);
      await sql`alter table ${sql.table(next)} rename to ${sql.ref(table)}`.execute(tx);
      for (const { type, text } of made) if (type !== "table") await sql.raw(text).execute(tx);
      const { rows: lost } = await sql`select 1 from pragma_foreign_key_check limit 1`.execute(tx);
      if (lost.length > 0) throw new Error(`Rows that name ${table} have lost theirs`);
    });
  } finally {
    await sql`pragma foreign_keys = on`.execute(db);
  }
}

function withChecks(table: string, definition: string, changed: ChangedChecks): string {
  return Object.entries(changed).reduce((text, [from, to]) => {
    if (text.includes(`check (${to})`)) return text;
    if (!text.includes(`check (${from})`)) throw new Error(`The table ${table} has no check (${from})`);
    return text.replace(`check (${from})`, `check (${to})`);
  }, definition);
}
