import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "libsql";
import { afterAll, beforeAll } from "vitest";
import { openDatabase } from "~db/connection.server";
import { makeDemoData, startServer } from "../../../scripts/test-server.mjs";
import { copyDemoData } from "../demo-data";
import { createMariaDb, dropMariaDb, type MariaDb } from "../migrated-database";
import { sessionOf } from "../session";
import type { Dialect } from "../test-portal";

export interface DemoPortal {
  origin: string;
  pid: number;
  dataDir: string;
  /** Empty on SQLite. */
  databaseUrl: string;
  cookies: Record<string, string>;
  cutPower(): Promise<void>;
  /** Queries the database beside the server, on SQLite. */
  inDatabase<T>(work: (database: InstanceType<typeof Database>) => T): T;
  /** Breaks the database meanwhile, on SQLite. */
  whileBroken<T>(sql: Breakage, work: () => Promise<T>): Promise<T>;
}

interface Breakage {
  breaks: string;
  mends: string;
}

export const away = (table: string): Breakage => ({
  breaks: `alter table ${table} rename to ${table}_away`,
  mends: `alter table ${table}_away rename to ${table}`,
});

interface Options {
  dialect?: Dialect;
  referrals?: number;
  people?: readonly string[];
  env?: Record<string, string>;
}

/** A running portal with the demo's accounts, for the tests of one file or suite. */
export function demoPortal({ dialect = "sqlite", referrals = 1, people = [], env = {} }: Options = {}): DemoPortal {
  let server: Awaited<ReturnType<typeof startServer>>;
  let mariaDb: MariaDb | undefined;
  const portal: DemoPortal = {
    origin: "",
    pid: 0,
    dataDir: "",
    databaseUrl: "",
    cookies: {},
    inDatabase: (work) => inDatabaseOf(portal.dataDir, work),
    async whileBroken({ breaks, mends }, work) {
      portal.inDatabase((database) => database.exec(breaks));
      try {
        return await work();
      } finally {
        portal.inDatabase((database) => database.exec(mends));
      }
    },
    async cutPower() {
      process.kill(portal.pid, "SIGKILL");
      await server.stop();
      await start();
    },
  };
  async function start() {
    server = await startServer({
      env: { NODE_ENV: "development", DATA_DIR: portal.dataDir, DATABASE_URL: portal.databaseUrl, ...env },
    });
    Object.assign(portal, { origin: server.origin, pid: server.pid });
  }
  beforeAll(async () => {
    portal.dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-demo-"));
    if (dialect === "sqlite") copyDemoData(portal.dataDir, referrals);
    else {
      portal.databaseUrl = (mariaDb = await createMariaDb()).url;
      makeDemoData(portal.dataDir, referrals, portal.databaseUrl);
    }
    await start();
    for (const who of people) portal.cookies[who] = await cookieOf(portal, who);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(portal.dataDir, { recursive: true, force: true });
    if (mariaDb) await dropMariaDb(mariaDb);
  });
  return portal;
}

async function cookieOf(portal: DemoPortal, userName: string): Promise<string> {
  const db = openDatabase(portal);
  try {
    const { name, value } = await sessionOf(db, userName);
    return `${name}=${value}`;
  } finally {
    await db.destroy();
  }
}

export function inDatabaseOf<T>(dataDir: string, work: (database: InstanceType<typeof Database>) => T): T {
  const database = new Database(path.join(dataDir, "portal.db"), { timeout: 5000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
