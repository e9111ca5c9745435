import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Since when the patient's CPR number is another than the one that an image was last judged by, and may be on its way under. */
export async function up(db: Kysely<any>) {
  await ddl(db).column("archive_export", "corrected_at", moment);
}
