import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** What an imported row is bound to: known before the row has its number. Null for rows that were written before. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("appointment_import", "row_key", sql`varchar(32)`);
}
