import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** The audit is read by day, and each event with its referrals. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.index("audit_event_by_at", "audit_event", ["at"]);
  await d.index("audit_referral_by_event", "audit_referral", ["audit_event_id", "referral_id"]);
}
