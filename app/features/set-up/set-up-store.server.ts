import type { DbOrTx } from "~db/connection.server";
import type { SetUpStep } from "./set-up-steps";

export async function findWhatIsThere(db: DbOrTx) {
  const there = await db
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom("portal_text").select("id").where("kind", "=", "conditions").limit(1)).as("conditions"),
      eb
        .exists(
          eb.selectFrom("treatment_type").select("id").where("id", ">", 0).where("deleted_at", "is", null).limit(1),
        )
        .as("treatmentTypes"),
      eb.exists(eb.selectFrom("clinic").select("id").where("status", "=", 1).limit(1)).as("clinics"),
      // Referrers belong to a clinic; this clinic's staff to none.
      eb.exists(eb.selectFrom("user_clinic").select("user_id").limit(1)).as("referrers"),
    ])
    .executeTakeFirstOrThrow();
  return {
    conditions: Boolean(there.conditions),
    treatmentTypes: Boolean(there.treatmentTypes),
    clinics: Boolean(there.clinics),
    referrers: Boolean(there.referrers),
  } satisfies Partial<Record<SetUpStep, boolean>>;
}
