import { Migrator, sql } from "kysely";
import type { Db } from "./connection.server";
import { migrations } from "./migrations";

/** The last migration of before the first release, which made the same tables in a hundred steps. */
const LAST_UNRELEASED = "2026_11_26_2140_sealed_flash";

/** The database is older than the first release, and this one cannot bring it further. Its message is for the person at the console. */
export class UnreleasedDatabaseError extends Error {}

/**
 * Brings the database to the newest version. Throws `UnreleasedDatabaseError` for one that is older than the first release. Safe to call from several processes at once: the migrator holds a lock. A database that a later
 * release has brought further is served as it is, since migrations only add: so a former release can start beside it, or again after it.
 */
export async function migrate(db: Db): Promise<void> {
  await forgetUnreleased(db);
  for (;;) {
    const later = await findLaterMigrations(db);
    const known = { ...migrations, ...Object.fromEntries(later.map((name) => [name, { up: async () => {} }])) };
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => known } }).migrateToLatest();
    if (!error) return;
    // A later release may have brought it further in between.
    if ((await findLaterMigrations(db)).length === later.length) throw error;
  }
}

/** A database of the last version before the first release goes on as one of the first release: the tables are the same. */
async function forgetUnreleased(db: Db): Promise<void> {
  const first = Object.keys(migrations)[0]!;
  const unreleased = (await findAppliedMigrations(db)).filter((name) => name < first);
  if (unreleased.length === 0) return;
  if (!unreleased.includes(LAST_UNRELEASED))
    throw new UnreleasedDatabaseError(
      "The database is older than the first release: move DATA_DIR away, or name an empty database in DATABASE_URL",
    );
  await sql`delete from kysely_migration where name < ${first}`.execute(db);
}

/** What a later release has done to the database. */
async function findLaterMigrations(db: Db): Promise<string[]> {
  const newest = Object.keys(migrations).at(-1)!;
  return (await findAppliedMigrations(db)).filter((name) => name > newest);
}

/** Empty for a database that has none yet. */
async function findAppliedMigrations(db: Db): Promise<string[]> {
  const read = () => sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const { rows } = await read().catch(async () => {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    // Another process that starts may have made the table since.
    return tables.some(({ name }) => name === "kysely_migration") ? read() : { rows: [] };
  });
  return rows.map(({ name }) => name);
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
  const done = await findAppliedMigrations(db);
  const known = Object.keys(migrations);
  return done.length === known.length && done.every((name) => known.includes(name));
}
