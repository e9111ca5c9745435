import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** What is to be sent, and every attempt to send it. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("outbox")
    .addColumn("channel", "varchar(15)", (c) => c.notNull())
    .addColumn("kind", "varchar(40)", (c) => c.notNull())
    .addColumn("referral_id", d.reference)
    .addColumn("user_id", d.reference)
    .addColumn("recipient_encrypted", "text", (c) => c.notNull())
    .addColumn("content_encrypted", d.longText, (c) => c.notNull())
    .addColumn("status", "smallint", (c) => c.notNull())
    .addColumn("status_text", "varchar(300)")
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("not_before", moment, (c) => c.notNull())
    .addColumn("lease_owner", "varchar(64)")
    .addColumn("lease_until", moment)
    .addColumn("sending_since", moment)
    .addColumn("sent_at", moment)
    .execute();
  await d.index("outbox_by_due", "outbox", ["status", "not_before"]);
  await d.index("outbox_by_referral", "outbox", ["referral_id", "id"]);

  await d
    .table("outbox_attempt")
    .addColumn("outbox_id", d.reference, (c) => c.notNull())
    .addColumn("at", moment, (c) => c.notNull())
    .addColumn("outcome", "varchar(30)", (c) => c.notNull())
    .addColumn("detail", "varchar(500)")
    .execute();
  await d.index("outbox_attempt_by_message", "outbox_attempt", ["outbox_id", "id"]);
}
