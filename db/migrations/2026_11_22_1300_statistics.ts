import { type Kysely, sql } from "kysely";
import { insertUnlessThere } from "../connection.server";
import { ddl } from "../ddl.server";

const day = sql`varchar(10)`;

/**
 * Sums of what happened, by day and by month, with what each referral has added to them. What is there already is counted by a job, in
 * batches, from the first referral on. A line of a plan keeps the treatment type that its code meant.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .plainTable("statistics_sum")
    .addColumn("measure", sql`varchar(12)`, (c) => c.notNull())
    .addColumn("grain", sql`char(1)`, (c) => c.notNull())
    .addColumn("start", day, (c) => c.notNull())
    .addColumn("bucket", sql`varchar(30)`, (c) => c.notNull())
    .addColumn("referrer_id", d.reference, (c) => c.notNull())
    .addColumn("clinic_id", d.reference, (c) => c.notNull())
    .addColumn("treatment_type_id", d.reference, (c) => c.notNull())
    .addColumn("n", "integer", (c) => c.notNull())
    // The only unique key: a second one would let concurrent upserts lock the gaps between each other's rows.
    .addPrimaryKeyConstraint("statistics_sum_key", [
      "measure",
      "grain",
      "start",
      "bucket",
      "referrer_id",
      "clinic_id",
      "treatment_type_id",
    ] as never[])
    .execute();
  await d.index("statistics_sum_by_referrer", "statistics_sum", ["referrer_id", "measure", "grain", "start"]);
  await d
    .plainTable("statistics_contribution")
    .addColumn("referral_id", d.reference, (c) => c.primaryKey())
    .addColumn("generation", "integer", (c) => c.notNull())
    .addColumn("entries", d.longText, (c) => c.notNull())
    .execute();
  await d
    .plainTable("statistics_state")
    .addColumn("name", sql`varchar(20)`, (c) => c.primaryKey())
    .addColumn("value", d.reference, (c) => c.notNull())
    .execute();
  await insertUnlessThere(db, "statistics_state", [
    { name: "generation", value: 1 },
    { name: "nextReferral", value: 1 },
  ]);
  await d
    .plainTable("page_view")
    .addColumn("day", day, (c) => c.notNull())
    .addColumn("page", sql`varchar(60)`, (c) => c.notNull())
    .addColumn("role", sql`varchar(20)`, (c) => c.notNull())
    .addColumn("n", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("page_view_key", ["day", "page", "role"] as never[])
    .execute();

  await d.column("visit_appointment", "treatment_type_id", d.reference);
  for (const { id, codes } of await db
    .selectFrom("treatment_type")
    .select(["id", "external_appointment_ids as codes"])
    .orderBy("deleted_at")
    .orderBy("id")
    .execute()) {
    const known = String(codes)
      .split(",")
      .map((code) => code.trim())
      .filter((code) => code !== "");
    if (known.length > 0)
      await db
        .updateTable("visit_appointment")
        .set({ treatment_type_id: id })
        .where("external_code", "in", known)
        .where("treatment_type_id", "is", null)
        .execute();
  }
}
