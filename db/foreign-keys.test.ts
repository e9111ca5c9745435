import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { purgeDraft } from "~/features/maintenance/store.server";
import { createTestPortal, forEachDatabase, type TestPortal } from "../tests/support/test-portal";
import { inTransaction } from "./connection.server";
import { tables } from "./tables";

const keys = Object.entries(tables).flatMap(([table, { keys: own = {} }]) =>
  Object.entries(own).map(([column, key]) => [table, column, ...(key.split(" ") as [string, string])] as const),
);

test("a number of a row is a foreign key, or the rules say why it is plain", () => {
  const rules = readFileSync("docs/rules/database.md", "utf8");
  const named = new Set(Array.from(rules.matchAll(/`((?:\w+|\*)\.(?:\w+|\*))`/g), ([, name]) => name));
  const unnamed = Object.entries(tables).flatMap(([table, { columns, keys: own = {} }]) =>
    Object.entries(columns)
      .filter(([column, type]) => type.startsWith("reference") && !(column in own))
      .map(([column]) => [`${table}.${column}`, `${table}.*`, `*.${column}`])
      .filter((names) => !names.some((name) => named.has(name)))
      .map(([name]) => name),
  );
  expect(unnamed).toEqual([]);
});

forEachDatabase("foreign keys", (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
  });
  afterAll(() => portal.close());

  let inserted = 0;
  /** A value that the type and the table's checks allow, unlike any before it where the type has room. */
  function valueOf(type: string): string | number {
    inserted += 1;
    const [, length] = /char\((\d+)\)/.exec(type) ?? [];
    if (length !== undefined) return inserted.toString(36).slice(-Number(length));
    if (/^(reference|bigint|integer)/.test(type)) return inserted;
    if (/^(flag|smallint)/.test(type)) return 1;
    return type.startsWith("day") ? "2026-12-01" : "2026-12-01T09:00:00.000Z";
  }

  /** Inserts a row with the rows that its keys name, and answers its id. */
  async function insertRow(table: string, given: Record<string, number> = {}): Promise<number> {
    const { columns, keys: own = {} } = tables[table]!;
    const row: Record<string, string | number> = { ...given };
    for (const [column, type] of Object.entries(columns)) {
      if (column in row || !type.includes("not null") || type.includes("default")) continue;
      row[column] = column in own ? await insertRow(own[column]!.split(" ")[0]!) : valueOf(type);
    }
    const names = Object.keys(row).map((column) => sql.ref(column));
    const { insertId } = await sql`
      insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(Object.values(row))})`.execute(portal.db);
    return Number(insertId);
  }

  async function countRows(table: string, column: string, id: number): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(portal.db);
    return Number(rows[0]!.n);
  }

  test.each(keys)("%s.%s: a row of no %s is refused, a delete does %s", async (table, column, parent, onDelete) => {
    await expect(insertRow(table, { [column]: 999_999 })).rejects.toThrow(/foreign key/i);
    const id = await insertRow(parent);
    await insertRow(table, { [column]: id });
    const removed = sql`delete from ${sql.table(parent)} where id = ${id}`.execute(portal.db);
    if (onDelete === "restrict") await expect(removed).rejects.toThrow(/foreign key/i);
    else await removed;
    expect(await countRows(table, column, id)).toBe(onDelete === "restrict" ? 1 : 0);
  });

  test("a purged draft leaves no row of its own in any table", async () => {
    const draft = await insertRow("referral");
    const own = keys.filter(([, , parent, onDelete]) => parent === "referral" && onDelete === "cascade");
    for (const [table, column] of own) await insertRow(table, { [column]: draft });
    await inTransaction(portal.db, (tx) => purgeDraft(tx, draft, portal.clock.now()));
    for (const [table, column] of own) expect(await countRows(table, column, draft), table).toBe(0);
    expect(own.length).toBeGreaterThan(8);
  });
});
