import { type Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** Letters whose PDF is still to come are few among all: the list counts and finds them by this. */
export async function up(db: Kysely<any>) {
  await ddl(db).index("discharge_letter_by_file", "discharge_letter", ["diagnosis_file_id", "referral_id"]);
}
