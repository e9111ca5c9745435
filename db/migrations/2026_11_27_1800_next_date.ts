import { type Kysely, sql } from "kysely";
import { addColumn, addIndex } from "../ddl.server";

/** The day by which something must happen with a referral; the recount that this begins fills it in. */
export async function up(db: Kysely<any>): Promise<void> {
  await addColumn(db, "referral", "next_due_on", "day not null default '9999-12-31'");
  await addIndex(db, "referral", { referral_by_next_date: ["next_due_on", "id"] }, "plain");
  await sql`update statistics_state set value = 1 where name = 'nextReferral'`.execute(db);
}
