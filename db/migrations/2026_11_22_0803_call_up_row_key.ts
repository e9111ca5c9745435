import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** What a call-up's text is bound to: known before the row has its number. Null for rows that were written before. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("call_up", "row_key", sql`varchar(32)`);
}
