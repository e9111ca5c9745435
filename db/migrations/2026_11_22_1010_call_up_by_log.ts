import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** A call-up's PDF is asked for by its line in the referral's log. */
export async function up(db: Kysely<any>) {
  await ddl(db).index("call_up_by_log", "call_up", ["visit_log_id"]);
}
