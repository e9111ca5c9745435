import type { DbOrTx } from "~db/connection.server";
import type { SetUpStep } from "./set-up-steps";

/** Which of what the portal's people make is there: each is asked whether there is one, never how many. */
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
      // Who belongs to a clinic refers to this one; its own staff belong to none.
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
