import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** What a message's ciphertexts are bound to: known before the row has its number. Null for rows that were written before. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("outbox", "row_key", sql`varchar(32)`);
}
