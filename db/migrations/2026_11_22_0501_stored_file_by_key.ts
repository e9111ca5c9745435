import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** The sweep of files without a row asks for rows by their storage key. */
export async function up(db: Kysely<any>) {
  await ddl(db).index("stored_file_by_key", "stored_file", ["storage_key"]);
}
