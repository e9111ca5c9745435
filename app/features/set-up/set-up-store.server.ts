import type { DbOrTx } from "~db/connection.server";
import type { SetUpStep } from "./set-up-steps";

export async function findWhatIsThere(db: DbOrTx) {
  const there = await db
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom("portalText").select("id").where("kind", "=", "conditions").limit(1)).as("conditions"),
      eb
        .exists(eb.selectFrom("treatmentType").select("id").where("id", ">", 0).where("deletedAt", "is", null).limit(1))
        .as("treatmentTypes"),
      eb.exists(eb.selectFrom("clinic").select("id").where("status", "=", 1).limit(1)).as("clinics"),
      // Referrers belong to a clinic; this clinic's staff to none.
      eb.exists(eb.selectFrom("userClinic").select("userId").limit(1)).as("referrers"),
      eb
        .exists(
          eb
            .selectFrom("outbox")
            .select("id")
            .where("channel", "in", ["email", "sms"])
            .where("outcome", "=", "sent")
            .limit(1),
        )
        .as("testMessage"),
      eb.exists(eb.selectFrom("referral").select("id").where("status", ">=", 0).limit(1)).as("referrals"),
    ])
    .executeTakeFirstOrThrow();
  return {
    conditions: Boolean(there.conditions),
    treatmentTypes: Boolean(there.treatmentTypes),
    clinics: Boolean(there.clinics),
    referrers: Boolean(there.referrers),
    testMessage: Boolean(there.testMessage),
    referrals: Boolean(there.referrals),
  } satisfies Partial<Record<SetUpStep | "referrals", boolean>>;
}
