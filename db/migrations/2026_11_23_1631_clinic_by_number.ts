import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** A clinic's newest referrals, the order its secretaries open the overview in, are stepped to instead of sorted out of all the clinic ever sent. */
export async function up(db: Kysely<any>) {
  await ddl(db).index("referral_list_by_clinic_number", "referral", ["clinic_id", "id", "status"]);
}
