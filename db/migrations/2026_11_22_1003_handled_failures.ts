import type { Kysely } from "kysely";
import { sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** A message that failed is somebody's to look after until it is handled. Each channel's log reads its own messages, newest first. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("outbox", "handled_at", moment);
  await d.column("outbox", "handled_by", d.reference);
  await d.column("outbox", "handled_note", sql`varchar(200)`);
  await d.index("outbox_by_failure", "outbox", ["outcome", "handled_at", "id"]);
  await d.index("outbox_by_channel", "outbox", ["channel", "id"]);
  await d.index("outbox_by_channel_kind", "outbox", ["channel", "kind", "id"]);
}
