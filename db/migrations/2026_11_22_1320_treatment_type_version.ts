import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";
import { sql } from "kysely";

/** Which edition of a treatment type somebody edits, and the log of imported times by what became of them. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("treatment_type", "version", sql`integer`, 1);
  await d.index("appointment_import_by_status", "appointment_import", ["status", "import_date", "id"]);
  await d.index("appointment_import_by_code", "appointment_import", ["external_code", "import_date", "id"]);
}
