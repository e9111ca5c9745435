import path from "node:path";
import Database from "libsql";
import mysql from "mysql2/promise";
import type { Dialect, TestPortal } from "./test-portal";

/**
 * Does something while another process is in the middle of writing: on SQLite it holds the only write lock, on MariaDB the tables that every
 * change writes to. A read is answered; whatever writes waits until this is over.
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

function lockSqlite({ config }: TestPortal): () => void {
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
