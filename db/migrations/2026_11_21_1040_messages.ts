import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** The thread of a referral. Its attachments are files of the referral that name their message. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("message")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("is_from_admin", "smallint", (c) => c.notNull())
    .addColumn("author_id", d.reference, (c) => c.notNull())
    .addColumn("author_name", "varchar(201)", (c) => c.notNull())
    .addColumn("text", d.longText, (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("edited_at", moment)
    .addColumn("version", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await d.index("message_by_referral", "message", ["referral_id", "id"]);
  await d.column("referral_file", "message_id", d.reference);
  await d.column("referral", "referrer_has_unread_messages", "smallint", 0);
}
