import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Uploads of images that arrive in parts and may be taken up again after a cut connection, a reload or a restart. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .plainTable("partial_upload")
    .addColumn("id", "varchar(32)", (c) => c.primaryKey())
    .addColumn("owner_id", d.reference, (c) => c.notNull())
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("radiograph_type", "smallint", (c) => c.notNull())
    .addColumn("file_name", "varchar(255)", (c) => c.notNull())
    .addColumn("size_bytes", "bigint", (c) => c.notNull())
    .addColumn("last_modified", "bigint", (c) => c.notNull())
    .addColumn("state", "varchar(15)", (c) => c.notNull())
    .addColumn("refusal", "varchar(500)")
    .addColumn("referral_file_id", d.reference)
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("partial_upload_by_owner", "partial_upload", ["owner_id", "state"]);
  await d.index("partial_upload_by_referral", "partial_upload", ["referral_id", "state"]);
  await d.index("partial_upload_by_age", "partial_upload", ["created_at"]);
}
