import { type Kysely, sql } from "kysely";
import { insertMissing } from "../dialect.server";
import { applyChanges, type Changes } from "../ddl.server";

/**
 * Spells of silence (docs/rules/never-silent.md), and the day from which they are known: 0 for a new portal, otherwise
 * today as `YYYYMMDD`. The recount that this begins adds them and the requests of material to the statistics.
 */
export const changes = {
  tables: {
    /** A spell of silence, as it was lived. An open one has a row only if it did not begin on the day after its next date. */
    silence: {
      columns: {
        referral_id: "reference not null",
        /** First silent day, `YYYY-MM-DD`; `until_day` is the first day on which it is no longer silent, null before that. */
        from_day: "day not null",
        until_day: "day",
      },
      keys: { referral_id: "referral cascade" },
      primaryKey: ["referral_id", "from_day"],
    },
  },
} as const satisfies Changes;

export async function up(db: Kysely<any>): Promise<void> {
  await applyChanges(db, changes);
  const referral = await db.selectFrom("referral").select("id").limit(1).executeTakeFirst();
  const today = Number(new Date().toISOString().slice(0, 10).split("-").join(""));
  await insertMissing(db, "statistics_state", [{ name: "silenceKnownFrom", value: referral ? today : 0 }]);
  await sql`update statistics_state set value = 1 where name = 'nextReferral'`.execute(db);
}
