import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** The order of triage: the urgent ones first, each kind from the oldest on; an index of it within each status. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.computed(
    "referral",
    "triage_order",
    sql`varchar(25)`,
    sql`concat(case when reference_type = 1 then '0' else '1' end, create_date)`,
  );
  await d.index("referral_by_triage", "referral", ["status", "triage_order", "id"]);
}
