import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "./connection.server";

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
