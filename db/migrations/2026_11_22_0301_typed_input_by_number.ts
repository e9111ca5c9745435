import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** One copy a person, form and CPR number. */
export async function up(db: Kysely<any>) {
  await ddl(db).index("typed_input_by_number", "typed_input", ["user_id", "form_key", "cpr_hash"], { unique: true });
}
