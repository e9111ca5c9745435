import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** The last day of a group is one look-up: MariaDB read all days of a measure for it. */
export async function up(db: Kysely<any>) {
  await ddl(db).index("statistics_sum_by_group", "statistics_sum", [
    "measure",
    "grain",
    "referrer_id",
    "clinic_id",
    "treatment_type_id",
    "start",
  ]);
}
