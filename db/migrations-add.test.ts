import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { openSqlite } from "./connection.server";
import { migrations } from "./migrations";

/** From here on an older release may run beside or after a newer one on the same database. */
const FIRST_RELEASE = "2026_11_27_0800_initial";

test("migrations since the first release only add", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "portal-migrations-"));
  const db = openSqlite(path.join(folder, "portal.db"));
  const shape = async () =>
    new Map(
      (await db.introspection.getTables()).map(({ name, columns }) => [
        name,
        new Map(columns.map((column) => [column.name, column])),
      ]),
    );
  try {
    let released = new Map() as Awaited<ReturnType<typeof shape>>;
    for (const [name, { up }] of Object.entries(migrations)) {
      await up(db);
      if (name === FIRST_RELEASE) released = await shape();
    }
    expect(released.size).toBeGreaterThan(50);
    const now = await shape();
    for (const [table, columns] of released) {
      for (const [name, { dataType, isNullable }] of columns)
        expect(now.get(table)?.get(name), `${table}.${name}`).toMatchObject({ dataType, isNullable });
      for (const [name, { isNullable, hasDefaultValue }] of now.get(table)!)
        if (!columns.has(name)) expect(isNullable || hasDefaultValue, `${table}.${name}`).toBe(true);
    }
  } finally {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
});
