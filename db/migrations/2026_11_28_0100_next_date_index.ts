import type { Kysely } from "kysely";
import { addIndex, dropIndex } from "../ddl.server";

/** The count of silent referrals also asks for the status, which it would otherwise read from each row. */
export async function up(db: Kysely<any>): Promise<void> {
  await addIndex(db, "referral", { referral_by_next_date_status: ["next_due_on", "id", "status"] }, "plain");
  await dropIndex(db, "referral", "referral_by_next_date");
}
