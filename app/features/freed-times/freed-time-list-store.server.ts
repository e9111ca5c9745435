import type { DbOrTx } from "~db/connection.server";
import { WAITING_FOR_TIME } from "~/features/referrals/model/status";
import { toMoment } from "~/text/dates";

/** The times that are free and still ahead, soonest first. @param from `YYYY-MM-DD HH:MM` in Copenhagen */
export function findFreeTimes(db: DbOrTx, from: string, limit: number) {
  return db
    .selectFrom("freed_time")
    .leftJoin("treatment_type", "treatment_type.id", "freed_time.treatment_type_id")
    .leftJoin("user as surgeon", "surgeon.id", "freed_time.surgeon_id")
    .select([
      "freed_time.id",
      "freed_time.referral_id",
      "freed_time.operation_moment",
      "freed_time.duration_minutes",
      "freed_time.treatment_type_id",
      "freed_time.surgeon_id",
      "treatment_type.name as treatment",
      "surgeon.first_name as surgeon_first_name",
      "surgeon.last_name as surgeon_last_name",
    ])
    .where("freed_time.closed_at", "is", null)
    .where("freed_time.operation_moment", ">", from)
    .orderBy("freed_time.operation_moment")
    .orderBy("freed_time.id")
    .limit(limit)
    .execute();
}

/** Who waits for a treatment and can get an SMS, the oldest first; left out are whom the time was offered to before, and who has an open offer of another. */
export async function findWaiting(
  db: DbOrTx,
  { treatmentTypeId, without, now }: { treatmentTypeId: number | null; without: number[]; now: Date },
  limit: number,
) {
  const waiting = db
    .selectFrom("referral")
    .where("status", "in", WAITING_FOR_TIME)
    .where("sent_at", "is not", null)
    .where("deleted_at", "is", null)
    .where("is_test", "=", 0)
    .where("mobile_phone", "is not", null)
    .where("treatment_type_id", treatmentTypeId === null ? "is" : "=", treatmentTypeId)
    .where("id", "not in", without)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("time_offer")
            .select("time_offer.id")
            .whereRef("time_offer.referral_id", "=", "referral.id")
            .where("time_offer.outcome", "=", "open")
            .where("time_offer.expires_at", ">", toMoment(now)),
        ),
      ),
    );
  const rows = await waiting
    .select(["id", "first_name", "last_name", "create_date"])
    .orderBy("create_date")
    .orderBy("id")
    .limit(limit)
    .execute();
  const { count } = await waiting.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { rows, count: Number(count) };
}
