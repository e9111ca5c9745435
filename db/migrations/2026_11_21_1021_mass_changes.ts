import type { Kysely } from "kysely";
import { ddl, moment } from "../ddl.server";

/** A change of many referrals at once, and what each was before, so that it can be undone while its notice stands. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d
    .table("mass_change")
    .addColumn("user_id", d.reference, (c) => c.notNull())
    .addColumn("at", moment, (c) => c.notNull())
    .addColumn("status", "smallint", (c) => c.notNull())
    .addColumn("changed", "integer", (c) => c.notNull())
    .addColumn("left_out", "text", (c) => c.notNull())
    .addColumn("undone_at", moment)
    .execute();
  await d.index("mass_change_by_age", "mass_change", ["at"]);
  await d
    .plainTable("mass_change_row")
    .addColumn("mass_change_id", d.reference, (c) => c.notNull())
    .addColumn("referral_id", d.reference, (c) => c.notNull())
    .addColumn("status_before", "smallint", (c) => c.notNull())
    .addColumn("since_before", moment)
    .addColumn("version_after", "integer", (c) => c.notNull())
    .addColumn("mail_was_waiting", "smallint", (c) => c.notNull())
    .addPrimaryKeyConstraint("mass_change_row_pk", ["mass_change_id", "referral_id"])
    .execute();
}
