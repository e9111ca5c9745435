import { type Kysely, sql } from "kysely";
import { insertUnlessThere } from "../connection.server";
import { createTables } from "../ddl.server";

/**
 * Spells of silence (docs/rules/never-silent.md), and the day from which they are known: 0 for a new portal, otherwise
 * today as `YYYYMMDD`. The recount that this begins adds them and the requests of material to the statistics.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await createTables(db, {
    silence: {
      columns: { referral_id: "reference not null", from_day: "day not null", until_day: "day" },
      keys: { referral_id: "referral cascade" },
      primaryKey: ["referral_id", "from_day"],
    },
  });
  const referral = await db.selectFrom("referral").select("id").limit(1).executeTakeFirst();
  const today = Number(new Date().toISOString().slice(0, 10).split("-").join(""));
  await insertUnlessThere(db, "statistics_state", [{ name: "silenceKnownFrom", value: referral ? today : 0 }]);
  await sql`update statistics_state set value = 1 where name = 'nextReferral'`.execute(db);
}
