import { type Kysely, Migrator, sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestPortal, forEachDatabase, type TestPortal } from "../tests/support/test-portal";
import { migrate } from "./migrate.server";
import { migrations } from "./migrations";

forEachDatabase("migrations", (dialect) => {
  let portal: TestPortal;
  beforeEach(async () => {
    portal = await createTestPortal(dialect);
  });
  afterEach(() => portal.close());

  async function shape() {
    const tables = await portal.db.introspection.getTables({ withInternalKyselyTables: false });
    const columns = tables.map(({ name, columns: all }) => [name, all.map((column) => `${column.name} ${column.dataType}${column.isNullable ? "" : " not null"}`).sort()] as const);
    const indexes =
      dialect === "mariadb"
        ? await sql<{ name: string }>`select distinct concat(table_name, '.', index_name) as name from information_schema.statistics where table_schema = database() order by 1`.execute(portal.db)
        : await sql<{ name: string }>`select name from sqlite_master where type = 'index' and name not like 'sqlite_%' order by 1`.execute(portal.db);
    return { columns: columns.toSorted(([a], [b]) => a.localeCompare(b)), indexes: indexes.rows.map(({ name }) => name) };
  }
  const done = async () => (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(portal.db)).rows.map(({ name }) => name);

  test("all have run, and running them again changes nothing", async () => {
    expect(await done()).toEqual(Object.keys(migrations));
    const before = await shape();
    expect(before.columns.length).toBeGreaterThan(15);
    expect(before.indexes).toEqual(expect.arrayContaining([expect.stringContaining("outbox_by_due")]));
    await migrate(portal.db);
    expect(await shape()).toEqual(before);
  });

  test("every one can be repeated over what it made", async () => {
    const before = await shape();
    await portal.db.insertInto("clinic").values({ name: "Å", name_sort: "}", name_norm: "aa", address: "", zip: "", city: "", phone: "", mobile_phone: null, fax: null, email: "", status: 1, created_at: "", modified_at: "" }).execute();
    for (const migration of Object.values(migrations)) await migration.up(portal.db);
    expect(await shape()).toEqual(before);
    expect(await portal.db.selectFrom("clinic").select("name").execute()).toEqual([{ name: "Å" }]);
  });

  test("one that broke half-way is finished by the next start", async () => {
    const whole = await shape();
    // Undo this one and what came after it, then let it break at each of its statements in turn.
    const last = "2026_11_21_0940_outbox";
    const tables = ["outbox_attempt", "outbox"];
    for (let broken = 1; broken <= 5; broken += 1) {
      for (const table of tables) await sql`drop table if exists ${sql.table(table)}`.execute(portal.db);
      await sql`delete from kysely_migration where name >= ${last}`.execute(portal.db);
      const migrator = new Migrator({ db: portal.db, provider: { getMigrations: async () => ({ ...migrations, [last]: { up: (db) => migrations[last]!.up(breaksAt(db, broken)) } }) } });
      const { error } = await migrator.migrateToLatest();
      expect(error).toMatchObject({ message: "broken on purpose" });
      expect(await done()).not.toContain(last);
      await migrate(portal.db);
      expect(await shape()).toEqual(whole);
      expect(await done()).toContain(last);
    }
  });

  // On SQLite the second one waits for the first one's lock without letting this process go on.
  test.runIf(dialect === "mariadb")("two processes that start together both come up", async () => {
    await sql`delete from kysely_migration`.execute(portal.db);
    const opened = await Promise.all([portal.reopened(), portal.reopened()]);
    expect(await done()).toEqual(Object.keys(migrations));
    for (const one of opened) await one.close();
  });
});

/** The database as it is until its n-th statement, which fails. */
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
