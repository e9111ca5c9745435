import type { DbOrTx } from "~db/connection.server";
import { withoutIndex } from "~db/without-index";
import { WAITING_FOR_TIME } from "~/features/referrals/model/status";
import { toMoment } from "~/text/dates";

/** Free future times, soonest first. @param from `YYYY-MM-DD HH:MM` in Copenhagen */
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

interface WaitingFor {
  treatmentTypeId: number | null;
  /** Excluded referrals: the one that cancelled, and those offered it before. */
  without: number[];
}

/**
 * Patients waiting for each treatment who can get an SMS, oldest first, at most `limit`, without those with an open
 * offer.
 */
export async function findWaiting(db: DbOrTx, asked: WaitingFor[], now: Date, limit: number) {
  if (asked.length === 0) return [];
  const without = [...new Set(asked.flatMap((one) => one.without))];
  const mostLeftOut = Math.max(...asked.map((one) => one.without.length));
  const types = [...new Set(asked.map((one) => one.treatmentTypeId))];
  const known = types.filter((type) => type !== null);
  const waiting = db
    .selectFrom("referral")
    .select(["id", "first_name", "last_name", "create_date", "treatment_type_id"])
    .select(({ fn }) => [
      fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy("treatment_type_id").orderBy("create_date").orderBy("id"))
        .as("place"),
      fn
        .countAll<number>()
        .over((over) => over.partitionBy("treatment_type_id"))
        .as("total"),
    ])
    .where("status", "in", WAITING_FOR_TIME)
    .where("sent_at", "is not", null)
    .where(withoutIndex<string>("deleted_at"), "is", null)
    .where(withoutIndex("is_test"), "=", 0)
    .where("mobile_phone", "is not", null)
    .where((eb) =>
      eb.or([
        ...(known.length > 0 ? [eb("treatment_type_id", "in", known)] : []),
        ...(types.includes(null) ? [eb("treatment_type_id", "is", null)] : []),
      ]),
    )
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
  // A patient excluded from one time may be asked about another of the same treatment, so all are read and filtered
  // afterwards.
  const rows = await db
    .selectFrom(waiting.as("waiting"))
    .selectAll()
    .where((eb) => eb.or([eb("place", "<=", limit + mostLeftOut), eb("id", "in", without)]))
    .orderBy("place")
    .execute();
  return asked.map((one) => {
    const ofType = rows.filter((row) => row.treatment_type_id === one.treatmentTypeId);
    const left = ofType.filter(({ id }) => !one.without.includes(id));
    return {
      rows: left.slice(0, limit),
      count: Number(ofType[0]?.total ?? 0) - (ofType.length - left.length),
    };
  });
}
