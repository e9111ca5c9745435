import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Receipts and replies that providers push; the unique id makes a repetition do nothing. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("delivery_event")
    .addColumn("channel", "varchar(15)", (c) => c.notNull())
    .addColumn("event_id", "varchar(100)", (c) => c.notNull())
    .addColumn("kind", "varchar(10)", (c) => c.notNull())
    .addColumn("outbox_id", d.reference)
    .addColumn("received_at", moment, (c) => c.notNull())
    .addColumn("row_key", "varchar(32)")
    .addColumn("content_encrypted", "text")
    .execute();
  await d.index("delivery_event_once", "delivery_event", ["channel", "event_id"], { unique: true });
}
