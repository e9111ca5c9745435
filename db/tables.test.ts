import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseShape } from "../tests/support/database-shape";
import { dropTables } from "../tests/support/database-dump";
import { createTestPortal, forEachDatabase, type TestPortal } from "../tests/support/test-portal";
import { applyChanges } from "./ddl.server";
import { tables } from "./tables";

forEachDatabase("the tables of the migrations", (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
  });
  afterAll(() => portal.close());

  test("are those of a migrated database: null and default of each column", async () => {
    const found = (await portal.db.introspection.getTables()).filter(({ name }) => !name.startsWith("sqlite_"));
    // MariaDB gives a column that may be null the default null.
    const shape = (name: string, isNull: boolean, hasDefault: boolean) =>
      `${name}${isNull ? "?" : hasDefault ? "=" : ""}`;
    const there = found.map(({ name, columns }) => [
      name,
      columns
        .filter((column) => !(column.name in (tables[name]?.computed ?? {})))
        .map((column) => shape(column.name, column.isNullable && column.name !== "id", column.hasDefaultValue))
        .sort(),
    ]);
    const written = Object.entries(tables).map(([name, { columns }]) => [
      name,
      Object.entries(columns)
        .map(([column, type]) => shape(column, !/^id$|not null/.test(type), type.includes("default")))
        .sort(),
    ]);
    expect(Object.fromEntries(there)).toEqual(Object.fromEntries(written));
  });

  test("made in one step are a migrated database's, with keys, checks and indexes", async () => {
    const migrated = await databaseShape(portal.db);
    await dropTables(portal.db);
    await applyChanges(portal.db, { tables });
    expect(await databaseShape(portal.db)).toEqual(migrated);
    expect(migrated["referral"]!.filter((line) => /check|between/i.test(line)).length).toBeGreaterThan(3);
  });
});
