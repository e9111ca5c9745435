import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Users and clinics that were merged into others: the runs, what they moved, and what duplicates are found by. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  for (const table of ["user", "clinic"]) {
    await d.column(table, "merged_into_id", d.reference);
    await d.index(`${table}_by_merged_into`, table, ["merged_into_id"]);
    await d.computed(table, "email_key", sql`varchar(254)`, sql`lower(email)`);
    await d.index(`${table}_by_email_key`, table, ["email_key"]);
  }
  await d
    .table("merge_run")
    .addColumn("kind", sql`varchar(6)`, (c) => c.notNull())
    .addColumn("winner_id", d.reference, (c) => c.notNull())
    .addColumn("state", sql`varchar(7)`, (c) => c.notNull())
    .addColumn("values_before", d.longText, (c) => c.notNull())
    .addColumn("values_after", d.longText, (c) => c.notNull())
    .addColumn("actor_id", d.reference)
    .addColumn("at", moment, (c) => c.notNull())
    .addColumn("moved_at", moment)
    .addColumn("undone_by", d.reference)
    .addColumn("undone_at", moment)
    .execute();
  await d.index("merge_run_by_state", "merge_run", ["state", "id"]);
  await d.index("merge_run_by_winner", "merge_run", ["kind", "winner_id", "id"]);
  await d.index("merge_run_by_age", "merge_run", ["at"]);
  await d
    .plainTable("merge_loser")
    .addColumn("run_id", d.reference, (c) => c.notNull())
    .addColumn("loser_id", d.reference, (c) => c.notNull())
    .addColumn("status_before", "smallint", (c) => c.notNull())
    .addColumn("merged_before", d.longText, (c) => c.notNull())
    .addPrimaryKeyConstraint("merge_loser_pk", ["run_id", "loser_id"] as never[])
    .execute();
  await d.index("merge_loser_by_loser", "merge_loser", ["loser_id", "run_id"]);
  await d
    .plainTable("merge_moved")
    .addColumn("run_id", d.reference, (c) => c.notNull())
    .addColumn("place", sql`varchar(40)`, (c) => c.notNull())
    .addColumn("row_id", d.reference, (c) => c.notNull())
    .addColumn("from_id", d.reference, (c) => c.notNull())
    .addColumn("detail", sql`varchar(20)`)
    .addColumn("outcome", sql`varchar(5)`, (c) => c.notNull())
    .addPrimaryKeyConstraint("merge_moved_pk", ["run_id", "place", "row_id", "from_id"] as never[])
    .execute();
  await d.index("merge_moved_by_outcome", "merge_moved", ["run_id", "outcome", "place", "row_id"]);
  await d.index("message_by_author", "message", ["author_id", "id"]);
  await d.index("referral_file_by_uploader", "referral_file", ["uploader_id", "id"]);
}
