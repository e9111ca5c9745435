import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from "kysely";
import { isMysql } from "./connection.server";

/**
 * The few words in which the two dialects' table definitions differ. Every statement can be run again: MySQL does not roll
 * data definitions back, so a migration that broke half-way is simply repeated.
 */
export function ddl(db: Kysely<any>) {
  const mysql = isMysql(db);
  return {
    /** A table with a numeric `id`. Text is compared by its bytes on both databases. */
    table(name: string): CreateTableBuilder<string, "id"> {
      const table = this.plainTable(name);
      return mysql
        ? table.addColumn("id", "bigint", (c) => c.primaryKey().autoIncrement())
        : table.addColumn("id", "integer", (c) => c.primaryKey().autoIncrement());
    },
    /** A table without a numeric `id` of its own. */
    plainTable(name: string): CreateTableBuilder<string, never> {
      const table = db.schema.createTable(name).ifNotExists();
      return mysql ? table.modifyEnd(sql`engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin`) : table;
    },
    /** The type of a column that points at an `id`. */
    reference: mysql ? sql`bigint` : sql`integer`,
    /** Text beyond 64 KiB. */
    longText: mysql ? sql`mediumtext` : sql`text`,
    /** A further column. With a `standard` it is never null, and the rows that are there get it. */
    async column(table: string, name: string, type: RawBuilder<unknown> | "smallint", standard?: number | string) {
      const add = db.schema
        .alterTable(table)
        .addColumn(name, type, (c) => (standard === undefined ? c : c.notNull().defaultTo(standard)));
      try {
        await add.execute();
      } catch (error) {
        if (!/duplicate column/i.test(String((error as Error).message))) throw error;
      }
    },
    /** A column that the database computes from others of its row; it takes no room of its own, but can be indexed. */
    async computed(table: string, name: string, type: RawBuilder<unknown>, from: RawBuilder<unknown>) {
      if (await this.hasColumn(table, name)) return;
      await sql`alter table ${sql.table(table)} add column ${sql.ref(name)} ${type} generated always as (${from}) virtual`.execute(
        db,
      );
    },
    async hasColumn(table: string, name: string): Promise<boolean> {
      try {
        // With its table's name, or SQLite would take an unknown column for a text.
        await sql`select ${sql.ref(`${table}.${name}`)} from ${sql.table(table)} limit 1`.execute(db);
        return true;
      } catch (error) {
        if (/no such column|unknown column/i.test(String((error as Error).message))) return false;
        throw error;
      }
    },
    async dropColumn(table: string, name: string) {
      if (await this.hasColumn(table, name)) await db.schema.alterTable(table).dropColumn(name).execute();
    },
    async renameColumn(table: string, from: string, to: string) {
      if (await this.hasColumn(table, from)) await db.schema.alterTable(table).renameColumn(from, to).execute();
    },
    async renameTable(from: string, to: string) {
      const tables = await db.introspection.getTables();
      if (tables.some(({ name }) => name === from)) await db.schema.alterTable(from).renameTo(to).execute();
    },
    async index(name: string, table: string, columns: string[], { unique = false } = {}) {
      const index = db.schema.createIndex(name).on(table).columns(columns);
      const create = unique ? index.unique() : index;
      try {
        await (mysql ? create : create.ifNotExists()).execute();
      } catch (error) {
        if ((error as { code?: string }).code !== "ER_DUP_KEYNAME") throw error;
      }
    },
    async dropIndex(name: string, table: string) {
      const drop = db.schema.dropIndex(name);
      try {
        await (mysql ? drop.on(table) : drop.ifExists()).execute();
      } catch (error) {
        if ((error as { code?: string }).code !== "ER_CANT_DROP_FIELD_OR_KEY") throw error;
      }
    },
  };
}

/** UTC moment `YYYY-MM-DD HH:MM:SS.mmm`. */
export const moment = sql`varchar(23)`;
