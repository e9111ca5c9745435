import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** What is cleared away is found without reading what stays. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.index("audit_referral_by_event", "audit_referral", ["audit_event_id"]);
  await d.index("access_token_by_expiry", "access_token", ["expires_at"]);
}
