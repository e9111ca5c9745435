import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Images that go to the clinic's archive; how each fares stands in the outbox. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("archive_export")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("stored_file_id", d.reference, (c) => c.notNull())
    .addColumn("outbox_id", d.reference, (c) => c.notNull())
    .addColumn("held_at", moment)
    .addColumn("released_by", d.reference)
    .addColumn("released_at", moment)
    .addColumn("created_at", moment, (c) => c.notNull())
    .execute();
  await d.index("archive_export_by_file", "archive_export", ["referral_id", "stored_file_id"], { unique: true });
  await d.index("archive_export_by_outbox", "archive_export", ["outbox_id"]);
}
