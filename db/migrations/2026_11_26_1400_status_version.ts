import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** A counter of its own for the status, so that a change by the system or the patient is a conflict for whoever sets a status. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("referral", "status_version", sql`integer`, 1);
}
