import { sql } from "kysely";
import { expect, test } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { openDatabase, withoutSync } from "./connection.server";

const databaseUrl = process.env.TEST_MARIADB_URL!;

test("a database that offers no encryption is not asked where TLS is required", async () => {
  const db = openDatabase({ databaseUrl, databaseTls: { caFile: null }, dataDir: "" });
  await expect(sql`select 1`.execute(db)).rejects.toThrow(/does not support secure connection/);
  await db.destroy();
});

test("without the requirement the same database answers", async () => {
  const db = openDatabase({ databaseUrl, dataDir: "" });
  await expect(sql`select 1 as one`.execute(db)).resolves.toMatchObject({ rows: [{ one: 1 }] });
  await db.destroy();
});

test.each([
  [undefined, 2],
  ["full", 2],
  ["normal", 1],
] as const)("SQLite with the sync %s waits for the disk as its level %i says", async (sqliteSync, level) => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-sync-"));
  const db = openDatabase({ databaseUrl: "", dataDir, ...(sqliteSync && { sqliteSync }) });
  const syncOf = async () => (await sql<{ synchronous: number }>`pragma synchronous`.execute(db)).rows[0]?.synchronous;
  expect(await syncOf()).toBe(level);
  expect(await withoutSync(db, syncOf)).toBe(0);
  expect(await syncOf()).toBe(level);
  await db.destroy();
  rmSync(dataDir, { recursive: true });
});
