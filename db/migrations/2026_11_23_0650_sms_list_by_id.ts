import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** The page of SMS looks its rows up by their ids within the list; without this SQLite reads the whole list for it. */
export async function up(db: Kysely<any>) {
  await ddl(db).index("referral_sms_by_id", "referral", ["sms_list", "id"]);
}
