import { readFileSync } from "node:fs";
import { type Kysely, Migrator, sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { aPerson } from "../tests/factories/people";
import { aReferral } from "../tests/factories/referrals";
import { dropTables, loadDump } from "../tests/support/database-dump";
import { createTestPortal, forEachDatabase, type TestPortal } from "../tests/support/test-portal";
import { migrate } from "./migrate.server";
import { migrations } from "./migrations";

vi.setConfig({ testTimeout: 180_000 });

forEachDatabase("migrations", (dialect) => {
  let portal: TestPortal;
  beforeEach(async () => {
    portal = await createTestPortal(dialect);
  });
  afterEach(() => portal.close());

  async function shape() {
    const tables = await portal.db.introspection.getTables({ withInternalKyselyTables: false });
    const columns = tables.map(
      ({ name, columns: all }) =>
        [
          name,
          all.map((column) => `${column.name} ${column.dataType}${column.isNullable ? "" : " not null"}`).sort(),
        ] as const,
    );
    const indexes =
      dialect === "mariadb"
        ? await sql<{
            name: string;
          }>`select distinct concat(table_name, '.', index_name) as name from information_schema.statistics where table_schema = database() order by 1`.execute(
            portal.db,
          )
        : await sql<{
            name: string;
          }>`select name from sqlite_master where type = 'index' and name not like 'sqlite_%' order by 1`.execute(
            portal.db,
          );
    return {
      columns: columns.toSorted(([a], [b]) => a.localeCompare(b)),
      indexes: indexes.rows.map(({ name }) => name).filter((name) => !name.startsWith("kysely_")),
    };
  }
  const done = async () =>
    (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(portal.db)).rows.map(
      ({ name }) => name,
    );

  test("all have run, and running them again changes nothing", async () => {
    expect(await done()).toEqual(Object.keys(migrations));
    const before = await shape();
    expect(before.columns.length).toBeGreaterThan(15);
    expect(before.indexes).toEqual(expect.arrayContaining([expect.stringContaining("outbox_by_lane")]));
    await migrate(portal.db);
    expect(await shape()).toEqual(before);
  });

  test("starts on a database that a later release changed, not on one with gaps", async () => {
    const note = (name: string) =>
      sql`insert into kysely_migration (name, timestamp) values (${name}, '2999-01-01T00:00:00.000Z')`.execute(
        portal.db,
      );
    await note("2999_01_01_0000_later");
    await migrate(portal.db);
    expect(await done()).toContain("2999_01_01_0000_later");
    await note("2027_01_01_0000_nobodys");
    await sql`delete from kysely_migration where name = ${Object.keys(migrations).at(-1)!}`.execute(portal.db);
    await expect(migrate(portal.db)).rejects.toThrow("2027_01_01_0000_nobodys");
  });

  test.each([
    ["is_test", 2],
    ["status", 100],
    ["operation_hour", 24],
    ["available_step", 0],
  ])("a referral whose %s is %i is refused by the database", async (column, value) => {
    const id = await aReferral(portal, await aPerson(portal, { role: "Dentist" }));
    const written = sql`update referral set ${sql.ref(column)} = ${value} where id = ${id}`.execute(portal.db);
    await expect(written).rejects.toThrow(/constraint/i);
  });

  test("an older database is refused in a sentence", async () => {
    const [first, ...others] = Object.keys(migrations);
    await sql`update kysely_migration set name = '2026_11_27_0400_initial' where name = ${first}`.execute(portal.db);
    await expect(migrate(portal.db)).rejects.toThrow("older than the first release: move DATA_DIR away");
    expect(await done()).toEqual(["2026_11_27_0400_initial", ...others]);
  });

  const fixture = `db/fixtures/first-release.${dialect}.sql`;
  test("a database from before the first release is brought up to date, and starts", async () => {
    const whole = await shape();
    await dropTables(portal.db);
    await loadDump(portal.db, readFileSync(fixture, "utf8"));
    await migrate(portal.db);
    expect(await shape()).toEqual(whole);
    const restarted = await portal.reopened();
    await restarted.close();
    const referral = await portal.db
      .selectFrom("referral")
      .select("id")
      .where("status", ">=", 0)
      .executeTakeFirstOrThrow();
    const admin = await aPerson(portal, { role: "Admin" });
    expect(await portal.as(admin, readReferral, { referralId: referral.id })).toMatchObject({ isDraft: false });
  });

  test("the next start finishes a migration interrupted at any statement", async () => {
    const whole = await shape();
    const [first, { up }] = Object.entries(migrations)[0]!;
    for (const broken of [1, 2, 3, 40, 200]) {
      await dropTables(portal.db);
      const migrator = new Migrator({
        db: portal.db,
        provider: { getMigrations: async () => ({ [first]: { up: (db) => up(breaksAt(db, broken)) } }) },
      });
      const { error } = await migrator.migrateToLatest();
      expect(error).toMatchObject({ message: "broken on purpose" });
      expect(await done()).toEqual([]);
      await migrate(portal.db);
      expect(await shape()).toEqual(whole);
      expect(await done()).toEqual(Object.keys(migrations));
    }
  });

  // SQLite rolls definitions back.
  test.runIf(dialect === "mariadb")("a column that an interrupted migration added is left as it is", async () => {
    const before = await shape();
    await migrations["2026_11_27_1200_going_on"]!.up(portal.db);
    expect(await shape()).toEqual(before);
  });

  // On SQLite the second one would wait for the lock and block this process.
  test.runIf(dialect === "mariadb")("two processes that start together both come up", async () => {
    await dropTables(portal.db);
    const opened = await Promise.all([portal.reopened(), portal.reopened()]);
    expect(await done()).toEqual(Object.keys(migrations));
    for (const one of opened) await one.close();
  });
});

/** A database whose n-th statement fails. */
function breaksAt(db: Kysely<any>, n: number): Kysely<any> {
  let statements = 0;
  return db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      if (statements === n) throw new Error("broken on purpose");
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}
