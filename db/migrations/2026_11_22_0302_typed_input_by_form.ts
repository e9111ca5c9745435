import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** One form may have copies under several numbers (docs/decisions/0052). */
export async function up(db: Kysely<any>) {
  await ddl(db).dropIndex("typed_input_by_form", "typed_input");
}
