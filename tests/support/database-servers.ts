import mysql from "mysql2/promise";
import { findMariaDb, startMariaDb } from "./mariadb.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    mariaDbUrl: string;
  }
}

interface Context {
  provide?: (key: "mariaDbUrl", value: string) => void;
}

/**
 * Global setup of vitest and Playwright: one MariaDB per run, if the machine has one; suites on MariaDB are left out
 * otherwise (scripts/test-tools.mjs). Tests find it as `process.env.TEST_MARIADB_URL` (`mysql://root@127.0.0.1:<port>`,
 * no database) or by `inject("mariaDbUrl")` and create their own databases.
 */
export default async function startDatabaseServers(context?: Context) {
  // Tests do not cut the power. Servers started by tests inherit this.
  process.env.SQLITE_SYNC = "normal";
  // Identifies this run's database template (migrated-database.ts).
  const run = (process.env.TEST_RUN = String(process.pid));
  if (!findMariaDb()) return;
  const server = await startMariaDb();
  process.env.TEST_MARIADB_URL = server.url;
  context?.provide?.("mariaDbUrl", server.url);
  return async () => {
    const connection = await mysql.createConnection(server.url);
    await connection.query(`drop database if exists portal_template_${run}`);
    await connection.end();
    await server.stop();
  };
}
