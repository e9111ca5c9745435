import { Migrator } from "kysely";
import type { Db } from "./connection.server";
import { migrations } from "./migrations";

/** Brings the database to the newest version. Safe to call from several processes at once: the migrator holds a lock. */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
