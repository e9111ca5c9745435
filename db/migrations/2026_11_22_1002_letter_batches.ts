import type { Kysely } from "kysely";
import { sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Letters that are printed in the house leave in batches: one PDF, marked as printed by a person. A letter is in one live batch at most. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("letter_batch")
    .addColumn("created_at", moment, (c) => c.notNull())
    .addColumn("creator_id", d.reference)
    .addColumn("stored_file_id", d.reference, (c) => c.notNull())
    .addColumn("page_count", "integer", (c) => c.notNull())
    .addColumn("printed_at", moment)
    .addColumn("printed_by", d.reference)
    .addColumn("withdrawn_at", moment)
    .execute();
  await d.index("letter_batch_by_date", "letter_batch", ["created_at", "id"]);
  await d
    .table("letter_batch_item")
    .addColumn("batch_id", d.reference, (c) => c.notNull())
    .addColumn("outbox_id", d.reference, (c) => c.notNull())
    .addColumn("live_outbox_id", d.reference)
    .addColumn("position", "integer", (c) => c.notNull())
    .addColumn("first_page", "integer", (c) => c.notNull())
    .addColumn("page_count", "integer", (c) => c.notNull())
    .addColumn("left_out", sql`varchar(200)`)
    .execute();
  await d.index("letter_batch_item_by_batch", "letter_batch_item", ["batch_id", "position"]);
  await d.index("letter_batch_item_by_letter", "letter_batch_item", ["outbox_id"]);
  await d.index("letter_batch_item_live", "letter_batch_item", ["live_outbox_id"], { unique: true });
}
