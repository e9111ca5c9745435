import { type Kysely, sql } from "kysely";
import { insertMissing } from "../dialect.server";
import { applyChanges, type Changes } from "../ddl.server";

/**
 * What triage has found, beside the status (docs/rules/triage.md). Referrals of before are triaged unless their status
 * awaits it. The recount that this begins writes next dates anew.
 */
export const changes = {
  columns: {
    referral: {
      /** When somebody triaged it; null while it awaits triage. */
      triaged_at: "moment",
      /** What the clinic has judged: 1 urgent, 0 not urgent; null where the referrer's word counts. */
      triage_urgency: "smallint",
      /** Whether it is to be done under general anaesthesia. */
      has_anaesthesia: "flag not null default 0",
    },
    /** The same before the change, for 'Fortryd'. */
    mass_change_row: {
      triaged_before: "moment",
      urgency_before: "smallint",
      had_anaesthesia: "flag not null default 0",
    },
  },
} as const satisfies Changes;

export async function up(db: Kysely<any>): Promise<void> {
  await applyChanges(db, changes);
  await sql`update referral set triaged_at = coalesce(status_since, create_date) where status not in (-1, 0, 4, 16)`.execute(
    db,
  );
  await sql`update referral set triage_urgency = 1 where status = 1`.execute(db);
  await sql`update referral set has_anaesthesia = 1 where status = 14`.execute(db);
  const referral = await db.selectFrom("referral").select("id").limit(1).executeTakeFirst();
  const today = Number(new Date().toISOString().slice(0, 10).split("-").join(""));
  // Deadlines by urgency count for statuses set after this day, so that nothing is late by the upgrade alone.
  await insertMissing(db, "statistics_state", [{ name: "urgencyCountsFrom", value: referral ? today : 0 }]);
  await sql`update statistics_state set value = 1 where name = 'nextReferral'`.execute(db);
}
