import type { Kysely } from "kysely";
import { sql } from "kysely";
import { ddl, moment } from "../ddl.server";

/** Links to what a patient may see of a referral: of one letter, or of one appointment; and why one was taken back. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.column("access_token", "letter_number", sql`integer`);
  await d.column("access_token", "operation_moment", sql`varchar(16)`);
  await d.column("access_token", "revoked_because", sql`varchar(10)`);
  await d.column("access_token", "renewed_at", moment);
  await d.index("access_token_by_referral", "access_token", ["referral_id", "purpose"]);
}
