import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** A file that waits for its form is a staged upload. */
export async function up(db: Kysely<any>) {
  await ddl(db).renameTable("held_upload", "staged_upload");
}
