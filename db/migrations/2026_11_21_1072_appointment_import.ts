import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Files of patients' appointment times, and what became of each of their rows. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("appointment_file")
    .addColumn("user_id", d.reference, (c) => c.notNull())
    .addColumn("file_name", "varchar(255)", (c) => c.notNull())
    .addColumn("status", "smallint", (c) => c.notNull())
    .addColumn("status_text", "varchar(300)")
    .addColumn("row_count", "integer", (c) => c.notNull())
    .addColumn("rows_done", "integer", (c) => c.notNull())
    .addColumn("create_date", moment, (c) => c.notNull())
    .addColumn("import_date", moment)
    .execute();
  await d.index("appointment_file_by_status", "appointment_file", ["status", "id"]);
  await d.index("appointment_file_by_import", "appointment_file", ["import_date"]);

  await d
    .table("appointment_import")
    .addColumn("file_id", d.reference, (c) => c.notNull())
    .addColumn("line", "integer", (c) => c.notNull())
    .addColumn("values_encrypted", "text", (c) => c.notNull())
    .addColumn("cpr_hash", "varchar(64)")
    .addColumn("cpr6", "varchar(6)")
    .addColumn("referral_id", d.reference)
    .addColumn("operation_date", "varchar(10)")
    .addColumn("operation_time", "varchar(5)")
    .addColumn("external_code", "varchar(40)", (c) => c.notNull())
    .addColumn("planned_status", "smallint", (c) => c.notNull())
    .addColumn("status", "smallint")
    .addColumn("import_date", moment)
    .execute();
  await d.index("appointment_import_by_file", "appointment_import", ["file_id", "status", "line"]);
  await d.index("appointment_import_by_date", "appointment_import", ["import_date", "id"]);
  await d.index("appointment_import_by_cpr", "appointment_import", ["cpr6", "import_date"]);
  await d.index("appointment_import_by_referral", "appointment_import", ["referral_id", "import_date"]);
}
