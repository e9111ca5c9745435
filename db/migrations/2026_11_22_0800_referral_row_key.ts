import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** What a referral's CPR number is bound to: known before the row has its number. Null for rows that were written before. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("referral", "row_key", sql`varchar(32)`);
}
