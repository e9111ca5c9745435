import type { Kysely } from "kysely";
import { addColumn } from "../ddl.server";

/** When the operation time was last set or moved, for 'Senest sket'; unknown for times of before. */
export async function up(db: Kysely<any>): Promise<void> {
  await addColumn(db, "referral", "operation_set_at", "moment");
}
