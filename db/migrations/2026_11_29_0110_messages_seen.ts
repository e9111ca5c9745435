import type { Kysely } from "kysely";
import { addColumn } from "../ddl.server";

/** The newest message that the writer's page showed; null where unknown. */
export async function up(db: Kysely<any>): Promise<void> {
  await addColumn(db, "message", "newest_seen_id", "integer");
}
