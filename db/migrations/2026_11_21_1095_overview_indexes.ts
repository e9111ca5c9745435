import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/**
 * Two filters of the overview that had no index to read by: what the clinic has written that the referrer has not seen, and the beginning
 * of an e-mail address, whose count read the rows themselves.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  const ordered = ["create_date", "id", "status"];
  await d.index("referral_list_by_referrer_unread", "referral", ["referrer_has_unread_messages", ...ordered]);
  await d.index("referral_list_by_email", "referral", ["email_norm", ...ordered]);
}
