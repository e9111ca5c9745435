import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** What a person has attached within a day, whatever they attached before. */
export async function up(db: Kysely<any>) {
  await ddl(db).index("referral_file_by_day", "referral_file", ["uploader_id", "uploaded_at"]);
}
