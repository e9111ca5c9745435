import path from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "libsql";
import { sql } from "kysely";
import mysql from "mysql2/promise";
import type { Dialect, TestPortal } from "./test-portal";

/**
 * Holds write locks during `work`: SQLite's only one, or the tables that every change writes on MariaDB. Reads succeed;
 * writes wait.
 */
export async function whileWritesAreLocked(
  portal: TestPortal,
  dialect: Dialect,
  work: () => Promise<void>,
): Promise<void> {
  const release = dialect === "sqlite" ? lockSqlite(portal) : await lockMariadb(portal);
  try {
    await work();
  } finally {
    await release();
  }
}

/** Takes the only write lock; returns the function that releases it. */
export function lockSqlite({ config }: Pick<TestPortal, "config">): () => void {
  const other = new Database(path.join(config.dataDir, "portal.db"));
  other.exec("begin immediate");
  return () => {
    other.exec("rollback");
    other.close();
  };
}

async function lockMariadb({ config }: TestPortal): Promise<() => Promise<void>> {
  const other = await mysql.createConnection(config.databaseUrl!);
  await other.query("lock tables audit_event write, audit_referral write, idempotency write");
  return async () => {
    await other.query("unlock tables");
    await other.end();
  };
}

/** The size of the portal's pool. */
const POOL_CONNECTIONS = 10;

/** Locks a referral's row on MariaDB by another transaction with a lock timeout of one second instead of fifty. */
export async function whileReferralIsLocked(
  portal: TestPortal,
  referralId: number,
  work: () => Promise<void>,
): Promise<void> {
  await shortenLockWait(portal);
  const other = await mysql.createConnection(portal.config.databaseUrl!);
  await other.beginTransaction();
  await other.query("select id from referral where id = ? for update", [referralId]);
  try {
    await work();
  } finally {
    await other.rollback();
    await other.end();
  }
}

/** Each connection waits until all are taken, so that all differ. */
async function shortenLockWait({ db }: TestPortal): Promise<void> {
  let taken = 0;
  let goOn!: () => void;
  const allTaken = new Promise<void>((resolve) => (goOn = resolve));
  await Promise.all(
    Array.from({ length: POOL_CONNECTIONS }, () =>
      db.connection().execute(async (connection) => {
        await sql`set session innodb_lock_wait_timeout = 1`.execute(connection);
        taken += 1;
        if (taken === POOL_CONNECTIONS) goOn();
        await allTaken;
      }),
    ),
  );
}

/** The list of waiting transactions is not renewed while it is read more often than every 100 ms. */
const POLL_MS = 150;

/**
 * Changes a row on MariaDB in another transaction, which is committed once `work` waits for it. `set` is SQL.
 * Returns what `work` returns.
 */
export async function whileRowChanges<T>(
  portal: TestPortal,
  { table, id, set }: { table: "referral" | "user"; id: number; set: string },
  work: () => Promise<T>,
): Promise<T> {
  const other = await mysql.createConnection(portal.config.databaseUrl!);
  await other.beginTransaction();
  await other.query(`update ${table} set ${set} where id = ?`, [id]);
  let isDone = false;
  const done = work().finally(() => (isDone = true));
  done.catch(() => undefined);
  try {
    while (!isDone && !(await isWaitedFor(other))) await setTimeout(POLL_MS);
    await other.commit();
  } finally {
    await other.end();
  }
  return done;
}

async function isWaitedFor(connection: mysql.Connection): Promise<boolean> {
  const [waiting] = await connection.query<mysql.RowDataPacket[]>(
    `select 1 from information_schema.innodb_trx as trx
     join information_schema.processlist as process on process.id = trx.trx_mysql_thread_id
     where trx.trx_state = 'LOCK WAIT' and process.db = database()`,
  );
  return waiting.length > 0;
}
