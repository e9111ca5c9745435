import { type Kysely, sql } from "kysely";
import { ddl } from "../ddl.server";

/** What an audit row says of who asked, as it was then, and of whom it was about. Rows from before know none of it. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("audit_event", "role", sql`varchar(80)`);
  await d.column("audit_event", "site", sql`varchar(10)`);
  await d.column("audit_event", "purpose", sql`varchar(20)`);
  await d.column("audit_event", "address_hash", sql`varchar(64)`);
  await d.column("audit_event", "subject_user_id", d.reference);
  await d.column("audit_event", "account_hash", sql`varchar(64)`);
  await d.column("audit_event", "cpr_hash", sql`varchar(64)`);
  await d.index("audit_event_by_subject", "audit_event", ["subject_user_id", "at"]);
  await d.index("audit_event_by_cpr", "audit_event", ["cpr_hash", "at"]);
}
