import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "libsql";
import { afterAll, beforeAll } from "vitest";
import { openDatabase } from "~db/connection.server";
import { startServer } from "../../../scripts/test-server.mjs";
import { copyDemoData } from "../demo-data";
import { sessionOf } from "../session";

export interface DemoPortal {
  origin: string;
  pid: number;
  dataDir: string;
  cookies: Record<string, string>;
  cutPower(): Promise<void>;
  /** Queries the database beside the server. */
  inDatabase<T>(work: (database: InstanceType<typeof Database>) => T): T;
  /** Breaks the database meanwhile. */
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
  referrals?: number;
  people?: readonly string[];
  env?: Record<string, string>;
}

/** A running portal on SQLite with the demo's accounts, for the tests of one file. */
export function demoPortal({ referrals = 1, people = [], env = {} }: Options = {}): DemoPortal {
  let server: Awaited<ReturnType<typeof startServer>>;
  const portal: DemoPortal = {
    origin: "",
    pid: 0,
    dataDir: "",
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
    server = await startServer({ env: { NODE_ENV: "development", DATA_DIR: portal.dataDir, ...env } });
    Object.assign(portal, { origin: server.origin, pid: server.pid });
  }
  beforeAll(async () => {
    portal.dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-demo-"));
    copyDemoData(portal.dataDir, referrals);
    await start();
    for (const who of people) portal.cookies[who] = await cookieOf(portal.dataDir, who);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(portal.dataDir, { recursive: true, force: true });
  });
  return portal;
}

async function cookieOf(dataDir: string, userName: string): Promise<string> {
  const db = openDatabase({ dataDir, databaseUrl: "" });
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
