import { type Kysely, sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/**
 * What the overview's filters read by. Each index ends as the list is ordered, so that a page is read off it without sorting, and holds
 * the status, so that a count never looks at a row.
 */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  // How long a called-up referral has waited: its other edits must not count.
  await d.column("referral", "status_since", moment);
  await sql`update referral set status_since = modified_at where status_since is null`.execute(db);
  const ordered = ["create_date", "id", "status"];
  await d.index("referral_list_by_clinic", "referral", ["clinic_id", ...ordered]);
  await d.index("referral_list_by_referrer", "referral", ["referrer_id", ...ordered]);
  await d.index("referral_list_by_creator", "referral", ["creator_id", ...ordered]);
  await d.index("referral_list_by_surgeon", "referral", ["surgeon_id", ...ordered]);
  await d.index("referral_list_by_unanswered", "referral", ["has_unanswered_message", ...ordered]);
  await d.index("referral_list_by_unread", "referral", ["surgeon_id", "surgeon_has_unread_messages", ...ordered]);
  await d.index("referral_list_by_visit_type", "referral", ["visit_type", ...ordered]);
  await d.index("referral_list_by_dentist_id", "referral", ["external_doctor_id", ...ordered]);
  await d.index("referral_list_by_test", "referral", ["is_test", ...ordered]);
  await d.index("referral_list_by_status", "referral", ["status", "id"]);
  await d.index("referral_by_email", "referral", ["email_norm", "create_date"]);
  await d.index("referral_by_status_since", "referral", ["status", "status_since"]);
}
