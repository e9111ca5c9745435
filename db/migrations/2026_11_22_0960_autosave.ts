import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** What a person has typed and not saved bears the name by which it is known everywhere. */
export async function up(db: Kysely<any>) {
  await ddl(db).renameTable("typed_input", "autosave");
}
