import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/**
 * A referral is put on hold until a day, in the status that it has then: `hold_until` is that day as long as `held_since` is when it came into its
 * status, and otherwise empty. One index counts what is there within a status, the other finds what is on hold.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("referral", "held_until", sql`varchar(10)`);
  await d.column("referral", "held_since", moment);
  await d.computed(
    "referral",
    "hold_until",
    sql`varchar(10)`,
    sql`case when held_since = status_since then coalesce(held_until, '') else '' end`,
  );
  await d.index("referral_by_hold", "referral", ["status", "hold_until", "create_date"]);
  await d.index("referral_on_hold", "referral", ["hold_until", "id"]);
}
