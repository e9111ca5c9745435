import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import {
  CompiledQuery,
  type DeleteResult,
  type InsertObject,
  Kysely,
  MysqlDialect,
  type RawBuilder,
  type SelectQueryBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type Transaction,
  type UpdateResult,
} from "kysely";
import { insertMissing, isDeadlock, isDuplicate, isMysql } from "./dialect.server";
import { followMarkedRows } from "./marked-rows.server";
import { readingPool } from "./mysql-pool.server";
import { databaseName } from "./names.server";
import { PortalMysqlCompiler } from "./read-limit.server";
import type { Database } from "./schema";
import { SqliteFileDriver, type SqliteOptions, type SqliteSync } from "./sqlite-driver.server";

export { isDeadlock, isDuplicate, isMysql, isStoreFull } from "./dialect.server";

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;
export type DbOrTx = Db | Tx;

interface DatabaseSettings {
  databaseUrl: string;
  /**
   * The connection is encrypted and the certificate checked, by this CA file or by the public authorities; null means
   * no TLS.
   */
  databaseTls?: { caFile: string | null } | null;
  dataDir: string;
  sqliteSync?: SqliteSync;
  /** See `SqliteOptions`; means nothing to MySQL. */
  isScratch?: boolean;
}

/**
 * Opens the database that the configuration names: SQLite in `dataDir` when `databaseUrl` is empty, MySQL or MariaDB
 * through mysql2 otherwise. Closing is `db.destroy()`.
 */
export function openDatabase(settings: DatabaseSettings): Db {
  const { databaseUrl, databaseTls = null, dataDir, sqliteSync: sync = "full", isScratch = false } = settings;
  return databaseUrl === ""
    ? openSqlite(path.join(dataDir, "portal.db"), { sync, isScratch })
    : openMysql(databaseUrl, databaseTls);
}

export function openSqlite(
  file: string,
  { sync = "full", lockWaitMs = 5000, isScratch = false }: Partial<SqliteOptions> = {},
): Db {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteFileDriver(file, { sync, lockWaitMs, isScratch }),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new PortalSqliteCompiler(),
    },
  });
}

/** Writes the database's names. */
class PortalSqliteCompiler extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(databaseName(name));
  }
}

function openMysql(url: string, tls: DatabaseSettings["databaseTls"]): Db {
  // Loaded on demand: a portal on SQLite starts without it.
  const { createPool } = createRequire(import.meta.url)("mysql2") as typeof import("mysql2");
  const pool = createPool({
    uri: url,
    ...(tls && { ssl: { minVersion: "TLSv1.2", ...(tls.caFile === null ? {} : { ca: readFileSync(tls.caFile) }) } }),
    connectionLimit: 10,
    // Linux waits two hours by default: a page would wait that long for a machine that is gone, and firewalls drop idle
    // connections.
    keepAliveInitialDelay: 10_000,
    charset: "utf8mb4",
    timezone: "Z",
    dateStrings: true,
    decimalNumbers: true,
    supportBigNumbers: true,
    // Without the flag mysql2 returns changed rows, but a version guard must count the rows found.
    flags: ["FOUND_ROWS"],
  });
  const dialect = new MysqlDialect({
    pool: readingPool(pool),
    // MySQL cuts `group_concat` after 1,024 bytes without an error: a person's last clinic would be another's number.
    onCreateConnection: async (connection) => {
      await connection.executeQuery(CompiledQuery.raw("set session group_concat_max_len = 1000000"));
    },
  });
  dialect.createQueryCompiler = () => new PortalMysqlCompiler();
  return new Kysely<Database>({ dialect });
}

export async function ping(db: Db): Promise<void> {
  await db.executeQuery(CompiledQuery.raw("select 1"));
}

/**
 * Runs `work` in one write transaction: `begin immediate` on SQLite, READ COMMITTED on MySQL (under REPEATABLE READ a
 * guarded update that hits no row re-reads the old snapshot). What is kept beside the rows that `work` marked follows before the commit
 * (marked-rows.server.ts), as of `now` if given. A deadlock repeats `work` once, so `work` awaits SQL only.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, now?: Date): Promise<T> {
  const attempt = () => {
    const builder = isMysql(db) ? db.transaction().setIsolationLevel("read committed") : db.transaction();
    return builder.execute(async (tx) => {
      const result = await work(tx);
      await followMarkedRows(db, tx, now);
      return result;
    });
  };
  try {
    return await attempt();
  } catch (error) {
    if (isDeadlock(error)) return attempt();
    throw error;
  }
}

/**
 * Locks the rows that a query finds until the transaction ends. SQLite has one writer at a time, so there they are locked already.
 */
export function forUpdate<Q extends { forUpdate(): Q }>(tx: DbOrTx, query: Q): Q {
  return isMysql(tx) ? query.forUpdate() : query;
}

/** `insertMissing` with the types of a table of this portal. */
export const insertUnlessThere: <T extends keyof Database & string>(
  db: DbOrTx,
  table: T,
  rows: InsertObject<Database, T> | InsertObject<Database, T>[],
) => Promise<boolean> = insertMissing as never;

/** Awaits an insert or update; where its unique key is taken, `taken` answers or throws in its place. */
export async function unlessTaken<T, U>(work: Promise<T>, taken: () => U | Promise<U>): Promise<T | U> {
  try {
    return await work;
  } catch (error) {
    if (isDuplicate(error)) return taken();
    throw error;
  }
}

/**
 * Inserts rows, and changes those whose key is taken, in one statement that locks them either way. `given` is the value
 * of a column that was to be inserted.
 */
export async function insertOrChange<T extends keyof Database & string>(
  db: DbOrTx,
  table: T,
  rows: InsertObject<Database, T> | readonly InsertObject<Database, T>[],
  key: readonly (keyof Database[T] & string)[],
  changed: (given: (column: keyof Database[T] & string) => RawBuilder<never>) => {
    [C in keyof Database[T] & string]?: unknown;
  },
): Promise<void> {
  const insert = db.insertInto(table).values(rows as InsertObject<Database, T>);
  const query = isMysql(db)
    ? insert.onDuplicateKeyUpdate(changed((column) => sql`values(${sql.ref(column)})`) as never)
    : insert.onConflict((conflict) =>
        conflict.columns(key as never).doUpdateSet(changed((column) => sql`excluded.${sql.ref(column)}`) as never),
      );
  await query.execute();
}

/** Executes an update or a deletion; returns whether it met a row. */
export async function changesAny(query: {
  executeTakeFirst(): Promise<UpdateResult | DeleteResult>;
}): Promise<boolean> {
  const result = await query.executeTakeFirst();
  return ("numUpdatedRows" in result ? result.numUpdatedRows : result.numDeletedRows) > 0n;
}

export async function rowCount<DB, TB extends keyof DB>(rows: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counted = rows.select((eb) => eb.fn.countAll<number>().as("count")) as SelectQueryBuilder<
    DB,
    TB,
    { count: number }
  >;
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

export const idsOf = <Id extends number | string>(rows: readonly { id: Id }[]): Id[] => rows.map(({ id }) => id);

export const referralIdsOf = <Id extends number>(rows: readonly { referralId: Id | null }[]): Id[] =>
  rows.flatMap(({ referralId: id }) => id ?? []);

/** Ids for an `in`, which MySQL refuses to be empty. */
export const orNone = (ids: readonly number[]): readonly number[] => (ids.length > 0 ? ids : [0]);
