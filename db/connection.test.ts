// @module-tag mariadb
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Db, type DbOrTx, inTransaction, openDatabase, openSqlite } from "./connection.server";
import { migrate } from "./migrate.server";

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

test("joined ids are answered whole where the server cuts them after 1,024 bytes", async () => {
  const server = openDatabase({ databaseUrl, dataDir: "" });
  const { rows } = await sql<{ usual: number }>`select @@global.group_concat_max_len as usual`.execute(server);
  await sql`set global group_concat_max_len = 1024`.execute(server);
  const db = openDatabase({ databaseUrl, dataDir: "" });
  try {
    const joined = await sql<{ ids: string }>`
      with recursive numbers as (select 1 as id union all select id + 1 from numbers where id < 900)
      select group_concat(id order by id) as ids from numbers`.execute(db);
    expect(joined.rows[0]!.ids.split(",").at(-1)).toBe("900");
  } finally {
    await sql`set global group_concat_max_len = ${sql.lit(rows[0]!.usual)}`.execute(server);
    await Promise.all([db.destroy(), server.destroy()]);
  }
});

function secondsUntilAsked(port: number): number[] {
  const own = new Set(readdirSync("/proc/self/fd").map(socketOf));
  const rows = readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1, -1);
  return rows.flatMap((row) => {
    const [, , far = "", , , timer = "", , , , socket = ""] = row.split(" ").filter((column) => column !== "");
    if (Number.parseInt(far.split(":")[1]!, 16) !== port || !own.has(`socket:[${socket}]`)) return [];
    const [kind, hundredths = ""] = timer.split(":");
    return [kind === KEEP_ALIVE ? Number.parseInt(hundredths, 16) / 100 : Infinity];
  });
}
const KEEP_ALIVE = "02";

function socketOf(descriptor: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}

test.runIf(process.platform === "linux")("a MariaDB that has said nothing for ten seconds is looked for", async () => {
  const db = openDatabase({ databaseUrl, dataDir: "" });
  await sql`select 1`.execute(db);
  expect(Math.min(...secondsUntilAsked(Number(new URL(databaseUrl).port)))).toBeLessThanOrEqual(10);
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
  await db.destroy();
  rmSync(dataDir, { recursive: true });
});

test("a scratch database is whole once it is closed, without what was rolled back", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-scratch-"));
  const scratch = openDatabase({ databaseUrl: "", dataDir, isScratch: true });
  await migrate(scratch);
  const add = (tx: DbOrTx, name: string) =>
    tx
      .insertInto("setting")
      .values({ name, value: "", modifiedAt: "2026-12-01T09:00:00.000Z", modifierId: null })
      .execute();
  for (let index = 0; index < 1100; index++) await inTransaction(scratch, (tx) => add(tx, `kept ${index}`));
  const refused = inTransaction(scratch, async (tx) => {
    await add(tx, "rolled back");
    throw new Error("no");
  });
  await expect(refused).rejects.toThrow("no");
  await add(scratch, "alone");
  const names = async (db: Db) => (await db.selectFrom("setting").select("name").execute()).map(({ name }) => name);
  expect(await names(scratch)).toHaveLength(1101);
  await scratch.destroy();
  const whole = openDatabase({ databaseUrl: "", dataDir });
  expect((await names(whole)).filter((name) => !name.startsWith("kept"))).toEqual(["alone"]);
  expect(await names(whole)).toHaveLength(1101);
  await whole.destroy();
  rmSync(dataDir, { recursive: true });
});

test("a write that waits while SQLite is closed is refused", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-closed-"));
  const db = openDatabase({ databaseUrl: "", dataDir });
  await sql`create table note (id integer)`.execute(db);
  const held = inTransaction(db, () => sleep(20)).catch(String);
  const waiting = sql`insert into note values (1)`.execute(db).catch(String);
  await sleep(5);
  await db.destroy();
  expect(await Promise.all([held, waiting])).toEqual([
    expect.stringContaining("connection is not open"),
    expect.stringContaining("connection is not open"),
  ]);
  rmSync(dataDir, { recursive: true });
});

describe("a write that finds SQLite locked by another process", () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-locked-"));
  const open = () => openSqlite(path.join(dataDir, "portal.db"), { sync: "normal", lockWaitMs: 100 });
  let db: Db;
  let other: Db;
  beforeAll(async () => {
    [db, other] = [open(), open()];
    await sql`create table note (id integer primary key, text text)`.execute(db);
  });
  afterAll(async () => {
    await db.destroy();
    await other.destroy();
    rmSync(dataDir, { recursive: true });
  });

  const write = (to: DbOrTx, text: string) => sql`insert into note (text) values (${text})`.execute(to);
  const textsIn = async (of: Db) => (await sql<{ text: string }>`select text from note`.execute(of)).rows;
  const writes: Record<string, () => Promise<unknown>> = {
    "a change": () => sql`update note set text = ''`.execute(db),
    "a change that answers rows": () => sql`update note set text = '' returning id`.execute(db),
    "a new table": () => sql`create table more (id integer)`.execute(db),
    "a transaction": () => db.transaction().execute((tx) => write(tx, "")),
  };

  test.each(Object.keys(writes))("%s fails, and what is written after it is committed", async (name) => {
    await sql`begin immediate`.execute(other);
    await expect(writes[name]!()).rejects.toThrow("database is locked");
    await sql`rollback`.execute(other);

    await write(db, name);
    expect(await textsIn(other)).toContainEqual({ text: name });
    await write(other, `other, after ${name}`);
    await db.transaction().execute((tx) => write(tx, `together, after ${name}`));
    expect(await textsIn(other)).toContainEqual({ text: `together, after ${name}` });
  });

  test("a write that fails for another reason leaves no transaction open", async () => {
    await expect(sql`insert into note (id, text) values (1, 'a'), (1, 'b')`.execute(db)).rejects.toThrow("UNIQUE");
    await write(other, "after a refused one");
    expect(await textsIn(db)).toContainEqual({ text: "after a refused one" });
  });

  test("a write waits for the other process, and meanwhile the portal does other work", async () => {
    const patient = openSqlite(path.join(dataDir, "portal.db"), { sync: "normal", lockWaitMs: 10_000 });
    await sql`begin immediate`.execute(other);
    const written = write(patient, "after a wait");
    for (let turn = 0; turn < 20; turn += 1) await sleep(2);
    expect(await textsIn(patient)).not.toContainEqual({ text: "after a wait" });
    await sql`rollback`.execute(other);
    await written;
    expect(await textsIn(other)).toContainEqual({ text: "after a wait" });
    await patient.destroy();
  });

  test("reads beside an open transaction see what is committed", async () => {
    await db.transaction().execute(async (tx) => {
      await write(tx, "not yet committed");
      expect(await textsIn(tx as unknown as Db)).toContainEqual({ text: "not yet committed" });
      expect(await textsIn(db)).not.toContainEqual({ text: "not yet committed" });
    });
    expect(await textsIn(db)).toContainEqual({ text: "not yet committed" });
  });

  test("a write beside an open transaction waits for its end", async () => {
    const order: string[] = [];
    let second: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (tx) => {
      second = write(db, "second").then(() => order.push("second"));
      for (let turn = 0; turn < 5; turn += 1) await sleep(2);
      await write(tx, "first");
      order.push("first");
    });
    await second;
    expect(order).toEqual(["first", "second"]);
  });

  test("many statements in a row leave turns to others", async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await db.transaction().execute(async (tx) => {
      // An endless transaction would run into the test's limit.
      while (turns < 5) await textsIn(tx as unknown as Db);
    });
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});
