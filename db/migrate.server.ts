import { Migrator, sql } from "kysely";
import type { Db } from "./connection.server";
import { migrations } from "./migrations";

/** Brings the database to the newest version. Safe to call from several processes at once: the migrator holds a lock. */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Brings an empty database to one version and no further. Throws for a version that this portal does not know. */
export async function migrateTo(db: Db, version: string): Promise<void> {
  if (!(version in migrations)) throw new Error(`The version ${version} of the database is not known here.`);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateTo(version);
  if (error) throw error;
}

/** Whether the database has exactly the version that this portal makes; false too for one that has none yet. */
export async function isOfThisVersion(db: Db): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db).catch(async (error) => {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    if (tables.some(({ name }) => name === "kysely_migration")) throw error;
    return { rows: [] };
  });
  const known = Object.keys(migrations);
  return rows.length === known.length && rows.every(({ name }) => known.includes(name));
}
