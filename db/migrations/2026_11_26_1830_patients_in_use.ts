import type { Kysely } from "kysely";
import { ddl } from "../ddl.server";

/** Patients whom no referral names any more are deleted with their last one; those of before go here. */
export async function up(db: Kysely<any>) {
  const d = ddl(db);
  await d.index("referral_by_patient", "referral", ["patient_id"]);
  await db
    .deleteFrom("patient")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("referral").select("referral.id").whereRef("referral.patient_id", "=", "patient.id"))),
    )
    .execute();
}
