import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe } from "vitest";
import type { Actor } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { type Operation, execute, plainInput } from "~/access/operation.server";
import { loadConfig } from "~/config/config.server";
import type { EmailGateway } from "~/gateways/email/port";
import { openPortal } from "~/open-portal.server";
import type { Portal } from "~/portal.server";
import { readerProgram } from "./reader-program";
import { copyMigratedSqlite, createMariaDb, dropMariaDb, type MariaDb } from "./migrated-database";

export type Dialect = "sqlite" | "mariadb";

/**
 * One suite per database: every rule must hold on both. `{ mariadb: "matrix" }` leaves MariaDB to `npm run test:matrix`,
 * where no statement of the suite differs between the two.
 */
export function forEachDatabase(
  name: string,
  ...[first, second]: [suite: Suite] | [options: { mariadb: "matrix" }, suite: Suite]
): void {
  const [options, suite] = second ? [first as { mariadb: "matrix" }, second] : [null, first as Suite];
  describe(`${name} (sqlite)`, () => {
    suite("sqlite");
  });
  describe(`${name} (mariadb)`, { tags: ["mariadb", ...(options ? [options.mariadb] : [])] }, () => {
    suite("mariadb");
  });
}

type Suite = (dialect: Dialect) => void;

export interface TestClock {
  now(): Date;
  set(moment: string): void;
  advance(step: { minutes?: number; hours?: number; days?: number }): void;
}

/** A clock that only the test moves. */
export function testClock(start = "2026-12-01T09:00:00.000Z"): TestClock {
  let at = new Date(start).getTime();
  return {
    now: () => new Date(at),
    set: (moment) => {
      at = new Date(moment).getTime();
    },
    advance: ({ minutes = 0, hours = 0, days = 0 }) => {
      at += ((days * 24 + hours) * 60 + minutes) * 60_000;
    },
  };
}

export interface TestPortal extends Portal {
  clock: TestClock;
  /** Opens the same database and data folder again, as after a restart. */
  reopened(): Promise<Portal>;
  /** Runs an operation as an actor. */
  as<I, O>(actor: Actor, operation: Operation<I, O>, input: unknown, more?: Partial<Caller>): Promise<O>;
}

interface Options {
  clock?: TestClock;
  env?: Record<string, string>;
  email?: EmailGateway;
  dataIn?: string;
}

/** A complete portal on its own database with real stores and gateways; `await portal.close()` removes both. */
export async function createTestPortal(
  dialect: Dialect,
  { clock = testClock(), env = {}, email, dataIn = os.tmpdir() }: Options = {},
): Promise<TestPortal> {
  const dataDir = mkdtempSync(path.join(dataIn, "portal-test-"));
  const database = dialect === "mariadb" ? await createMariaDb() : null;
  if (database === null) await copyMigratedSqlite(dataDir);
  const config = loadConfig({
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    DATABASE_URL: database?.url ?? "",
    SQLITE_SYNC: "normal",
    APP_SECRET: "test-secret-that-is-long-enough-for-the-rule",
    ...env,
  });
  const open = () => openPortal(config, { clock, readerProgram: readerProgram, logLevel: "silent" });
  const portal = await open();
  return Object.assign(portal, {
    clock,
    ...(email ? { email } : {}),
    reopened: open,
    as<I, O>(actor: Actor, operation: Operation<I, O>, input: unknown, more: Partial<Caller> = {}) {
      const caller: Caller = { actor, site: "inside", address: "203.0.113.7", sessionId: null, ...more };
      return execute(this as unknown as Portal, caller, operation, plainInput(input));
    },
    close: closeAndRemove(portal.close, dataDir, database),
  });
}

function closeAndRemove(close: () => Promise<void>, dataDir: string, database: MariaDb | null) {
  return async () => {
    await close();
    rmSync(dataDir, { recursive: true, force: true });
    if (database) await dropMariaDb(database);
  };
}
