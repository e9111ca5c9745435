import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/**
 * The list of call-ups sorts by how and when a patient was called up last: that stands on the referral. A call-up that waits to be sent
 * names its referral in a column that holds each number once, so that two people cannot call the same patient up at once.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("referral", "call_up_comment", sql`text`);
  await d.column("referral", "call_up_type", sql`smallint`);
  await d.column("referral", "call_up_date", moment);
  await d.column("call_up", "planned_referral_id", d.reference);
  await d.column("call_up", "referral_status", sql`smallint`);
  await sql`
    update referral set
      call_up_type = (select call_up.call_up_type from call_up where call_up.referral_id = referral.id order by call_up.id desc limit 1),
      call_up_date = (select coalesce(call_up.incall_date, call_up.created_at) from call_up where call_up.referral_id = referral.id order by call_up.id desc limit 1)
    where call_up_status is not null and call_up_type is null`.execute(db);
  await d.index("call_up_by_plan", "call_up", ["planned_referral_id"], { unique: true });
  await d.index("call_up_by_message", "call_up", ["outbox_id"]);
  await d.index("referral_by_call_up_type", "referral", ["status", "call_up_type", "id"]);
  await d.index("referral_by_call_up_date", "referral", ["status", "call_up_date", "id"]);
  await d.index("referral_by_call_up_status", "referral", ["status", "call_up_status", "id"]);
}
