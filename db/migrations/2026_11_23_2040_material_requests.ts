import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/**
 * What the clinic asks a referrer for, line by line, and what they answer. A request belongs to the time in a status that it was made in: it holds
 * while `status_since` is the referral's own. `recalled_at` is that moment where the referral goes before the others of its status, which
 * `queue_order` computes: urgent, recalled, the others, each from the oldest on.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("material_request")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("status_since", moment, (c) => c.notNull())
    .addColumn("requested_by", d.reference, (c) => c.notNull())
    .addColumn("requested_at", moment, (c) => c.notNull())
    .addColumn("row_key", sql`varchar(32)`)
    .addColumn("note_encrypted", "text")
    .addColumn("completed_at", moment)
    .execute();
  await d.index("material_request_by_referral", "material_request", ["referral_id", "id"]);
  await d
    .table("material_line")
    .addColumn("request_id", d.reference, (c) => c.notNull())
    .addColumn("kind", sql`varchar(12)`, (c) => c.notNull())
    .addColumn("row_key", sql`varchar(32)`)
    .addColumn("words_encrypted", "text")
    .addColumn("first_file_at", moment)
    .addColumn("answer", sql`varchar(12)`, (c) => c.notNull())
    .addColumn("answered_by", d.reference)
    .addColumn("answered_at", moment)
    .execute();
  await d.index("material_line_by_request", "material_line", ["request_id", "answer"]);
  await d.index("material_line_begun", "material_line", ["answer", "first_file_at"]);
  await d.column("referral_file", "material_line_id", d.reference);
  await d.column("partial_upload", "material_line_id", d.reference);
  await d.index("partial_upload_by_line", "partial_upload", ["material_line_id"]);
  await d.column("referral", "recalled_at", moment);
  await d.computed(
    "referral",
    "queue_order",
    sql`varchar(25)`,
    sql`concat(case when reference_type = 1 then '0' when recalled_at = status_since then '1' else '2' end, create_date)`,
  );
  await d.index("referral_by_queue", "referral", ["status", "queue_order", "id"]);
}
