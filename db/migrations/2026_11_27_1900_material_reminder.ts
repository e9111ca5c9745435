import type { Kysely } from "kysely";
import { addColumn } from "../ddl.server";

/** How many times the referrer has been reminded of material that is missing, and when last. */
export async function up(db: Kysely<any>): Promise<void> {
  await addColumn(db, "material_request", "reminders", "smallint not null default 0");
  await addColumn(db, "material_request", "reminded_at", "moment");
}
