import { type Kysely, sql } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/**
 * The day by which something must happen with a referral, written before each commit; far ahead where nothing must. The
 * recount that this begins fills it in.
 */
export const changes = {
  columns: { referral: { next_due_on: "day not null default '9999-12-31'" } },
  indexes: { referral: { referral_by_next_date: ["next_due_on", "id"] } },
} as const satisfies Changes;

export async function up(db: Kysely<any>): Promise<void> {
  await applyChanges(db, changes);
  await sql`update statistics_state set value = 1 where name = 'nextReferral'`.execute(db);
}
