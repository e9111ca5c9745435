import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** What a dry run says is kept and carried out as it was shown. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("appointment_file", "first_day", sql`varchar(10)`);
  await d.column("appointment_file", "last_day", sql`varchar(10)`);
  await d.column("appointment_file", "is_unattended", "smallint", 0);
  await d.column("appointment_import", "plan", d.longText);
  await d.column("appointment_import", "asks", "smallint", 0);
  await d.column("appointment_import", "is_shown_again", "smallint", 0);
  await d.column("appointment_import", "note", sql`varchar(300)`);
  await d.index("appointment_import_by_patient", "appointment_import", ["file_id", "cpr_hash"]);
  await d
    .table("directory_plan")
    .addColumn("user_id", d.reference, (c) => c.notNull())
    .addColumn("kind", "varchar(20)", (c) => c.notNull())
    .addColumn("file_name", "varchar(255)", (c) => c.notNull())
    .addColumn("row_key", "varchar(32)")
    .addColumn("lines_encrypted", d.longText, (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("directory_plan_by_age", "directory_plan", ["created_at"]);
}
