import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** What was typed belongs to a form and a CPR number: whose number it was typed under, as a keyed look-up; empty where none stood there. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("typed_input", "cpr_hash", sql`varchar(64)`, "");
}
