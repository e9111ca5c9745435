import type { Kysely } from "kysely";
import { addColumn } from "../ddl.server";

/** When the referral was last given another patient's CPR number: messages queued before it are not the patient's. */
export async function up(db: Kysely<any>): Promise<void> {
  await addColumn(db, "referral", "patient_since", "moment");
}
