import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Files in the file store, where they belong, and uploads that wait for their form. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("stored_file")
    .addColumn("storage_key", "varchar(100)", (c) => c.notNull())
    .addColumn("file_name", "varchar(255)", (c) => c.notNull())
    .addColumn("mime", "varchar(100)", (c) => c.notNull())
    .addColumn("size_bytes", "bigint", (c) => c.notNull())
    .addColumn("sha256", "varchar(64)", (c) => c.notNull())
    .addColumn("scan_state", "varchar(15)", (c) => c.notNull())
    .addColumn("dicom_cpr_hash", "varchar(64)")
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("purge_after", moment)
    .execute();
  await d.index("stored_file_by_purge", "stored_file", ["purge_after"]);
  await d.index("stored_file_by_content", "stored_file", ["sha256"]);

  await d
    .table("referral_file")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("kind", "varchar(15)", (c) => c.notNull())
    .addColumn("radiograph_type", "smallint")
    .addColumn("stored_file_id", d.reference, (c) => c.notNull())
    .addColumn("uploaded_at", moment, (c) => c.notNull())
    .addColumn("uploader_id", d.reference)
    .addColumn("deleted_at", moment)
    .execute();
  await d.index("referral_file_by_file", "referral_file", ["stored_file_id"]);
  await d.index("referral_file_by_referral", "referral_file", ["referral_id", "kind", "id"]);

  await d
    .table("held_upload")
    .addColumn("owner_id", d.reference, (c) => c.notNull())
    .addColumn("form_key", "varchar(64)", (c) => c.notNull())
    .addColumn("field", "varchar(60)", (c) => c.notNull())
    .addColumn("kind", "varchar(15)", (c) => c.notNull())
    .addColumn("stored_file_id", d.reference, (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("held_upload_by_form", "held_upload", ["owner_id", "form_key"]);
  await d.index("held_upload_by_age", "held_upload", ["created_at"]);
}
