import { Migrator, sql } from "kysely";
import type { Db } from "./connection.server";
import { migrations } from "./migrations";

/** The database is older than the first release and cannot be migrated. The message is for the person at the console. */
export class UnreleasedDatabaseError extends Error {}

/**
 * Brings the database to the newest version. Throws `UnreleasedDatabaseError` for one that is older than the first release.
 * Several processes may call it at once: the migrator holds a lock. A database that a later release has brought further is
 * served as it is, because migrations only add: a former release can start beside the new one, or after it.
 */
export async function migrate(db: Db): Promise<void> {
  await refuseUnreleased(db);
  for (;;) {
    const later = await findLaterMigrations(db);
    const known = { ...migrations, ...Object.fromEntries(later.map((name) => [name, { up: async () => {} }])) };
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => known } }).migrateToLatest();
    if (!error) return;
    // A later release may have migrated it meanwhile.
    if ((await findLaterMigrations(db)).length === later.length) throw error;
  }
}

async function refuseUnreleased(db: Db): Promise<void> {
  const first = Object.keys(migrations)[0]!;
  if ((await findAppliedMigrations(db)).some((name) => name < first))
    throw new UnreleasedDatabaseError(
      "The database is older than the first release: move DATA_DIR away, or name an empty database in DATABASE_URL",
    );
}

async function findLaterMigrations(db: Db): Promise<string[]> {
  const newest = Object.keys(migrations).at(-1)!;
  return (await findAppliedMigrations(db)).filter((name) => name > newest);
}

/** Empty for a database without migrations. */
async function findAppliedMigrations(db: Db): Promise<string[]> {
  const read = () => sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const { rows } = await read().catch(async () => {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    // Another starting process may have created the table meanwhile.
    return tables.some(({ name }) => name === "kysely_migration") ? read() : { rows: [] };
  });
  return rows.map(({ name }) => name);
}

/** Migrates an empty database to one version. Throws for an unknown version. */
export async function migrateTo(db: Db, version: string): Promise<void> {
  if (!(version in migrations)) throw new Error(`The version ${version} of the database is not known here.`);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateTo(version);
  if (error) throw error;
}

/** Whether the database has exactly this portal's version; false for an empty one. */
export async function isOfThisVersion(db: Db): Promise<boolean> {
  const done = await findAppliedMigrations(db);
  const known = Object.keys(migrations);
  return done.length === known.length && done.every((name) => known.includes(name));
}
