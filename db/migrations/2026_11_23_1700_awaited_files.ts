import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** A referral may be sent while its files are on their way, and files may be on their way before there is a draft. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .plainTable("awaited_sending")
    .addColumn("referral_id", d.reference, (c) => c.primaryKey())
    .addColumn("requested_by", d.reference, (c) => c.notNull())
    .addColumn("requested_at", moment, (c) => c.notNull())
    .addColumn("due_at", moment, (c) => c.notNull())
    .execute();
  await d.index("awaited_sending_by_time", "awaited_sending", ["due_at"]);
  await d.column("partial_upload", "form_key", sql`varchar(64)`);
  await d.column("partial_upload", "awaited_at", moment);
  await d.index("partial_upload_by_form", "partial_upload", ["owner_id", "form_key"]);
  await d.index("partial_upload_by_awaited", "partial_upload", ["awaited_at"]);
  await d.column("staged_upload", "radiograph_type", "smallint");
  await d.column("referral", "awaited_files", "smallint", 0);
}
