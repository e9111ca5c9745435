import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/**
 * What patients answer about their time. A moment of an operation is `YYYY-MM-DD HH:MM` in Copenhagen. What the referral itself says,
 * `cancellation_date` and `confirmed_at`, is of the time that it has now.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("referral", "confirmed_at", moment);
  await d.index("referral_by_operation_date", "referral", ["operation_date", "id"]);
  await d
    .table("appointment_answer")
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("operation_moment", sql`varchar(16)`, (c) => c.notNull())
    .addColumn("answer", sql`varchar(10)`, (c) => c.notNull())
    .addColumn("source", sql`varchar(5)`, (c) => c.notNull())
    .addColumn("row_key", sql`varchar(32)`)
    .addColumn("word_encrypted", "text")
    .addColumn("at", moment, (c) => c.notNull())
    .addColumn("status_before", sql`smallint`)
    .addColumn("undone_at", moment)
    .addColumn("undone_by", d.reference)
    .execute();
  await d.index("appointment_answer_by_referral", "appointment_answer", ["referral_id", "id"]);
}
