import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** A surgeon's own referrals by status, in the order of the queues. */
export async function up(db: Kysely<any>) {
  await ddl(db).index("referral_by_surgeons_queue", "referral", ["surgeon_id", "status", "queue_order", "id"]);
}
