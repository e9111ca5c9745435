import { partsOfMoment } from "~/features/referrals/model/operation-moment";
import { WAITING_FOR_TIME, WITHOUT_TIME } from "~/features/referrals/model/status";
import { toMoment } from "~/text/dates";
import { type DbOrTx, forUpdate, type Tx, changesAny } from "~db/connection.server";
import { withoutIndex } from "~db/without-index";

export interface FreedTime {
  referralId: number;
  operationMoment: string;
  durationMinutes: number | null;
  treatmentTypeId: number | null;
  surgeonId: number | null;
}

export async function insertFreedTime(tx: Tx, time: FreedTime, now: Date): Promise<void> {
  await tx
    .insertInto("freed_time")
    .values({
      referral_id: time.referralId,
      operation_moment: time.operationMoment,
      duration_minutes: time.durationMinutes,
      treatment_type_id: time.treatmentTypeId,
      surgeon_id: time.surgeonId,
      freed_at: toMoment(now),
      closed_at: null,
      closed_because: null,
      taken_by: null,
    })
    .execute();
}

const newestOf = (db: DbOrTx, referralId: number, operationMoment: string) =>
  db
    .selectFrom("freed_time")
    .selectAll()
    .where("referral_id", "=", referralId)
    .where("operation_moment", "=", operationMoment)
    .orderBy("id", "desc")
    .limit(1);

export const findFreedTimeOf = (db: DbOrTx, referralId: number, operationMoment: string) =>
  newestOf(db, referralId, operationMoment).executeTakeFirst();

export const lockFreedTimeOf = (tx: Tx, referralId: number, operationMoment: string) =>
  forUpdate(tx, newestOf(tx, referralId, operationMoment)).executeTakeFirst();

export const lockFreedTime = (tx: Tx, id: number) =>
  forUpdate(tx, tx.selectFrom("freed_time").selectAll().where("id", "=", id)).executeTakeFirst();

export async function closeFreedTime(
  tx: Tx,
  id: number,
  because: "taken" | "undone" | "removed",
  takenBy: number | null,
  now: Date,
): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("freed_time")
      .set({ closed_at: toMoment(now), closed_because: because, taken_by: takenBy })
      .where("id", "=", id)
      .where("closed_at", "is", null),
  );
}

export async function hasOpenOffer(tx: DbOrTx, freedTimeId: number, now: Date): Promise<boolean> {
  const open = await tx
    .selectFrom("time_offer")
    .select("id")
    .where("open_freed_time_id", "=", freedTimeId)
    .where("expires_at", ">", toMoment(now))
    .executeTakeFirst();
  return open !== undefined;
}

interface TimeOfSurgeon {
  referral_id: number;
  operation_moment: string;
  surgeon_id: number | null;
}

export async function isBookedByAnother(
  tx: DbOrTx,
  time: TimeOfSurgeon,
  exceptReferralId = time.referral_id,
): Promise<boolean> {
  return (await findBookedByAnother(tx, [time], exceptReferralId)).length > 0;
}

/** Freed times at which another patient has the same surgeon. */
export async function findBookedByAnother<T extends TimeOfSurgeon>(
  db: DbOrTx,
  times: T[],
  exceptReferralId?: number,
): Promise<T[]> {
  const ofSurgeons = times.flatMap((time) =>
    time.surgeon_id === null ? [] : [{ time, surgeonId: time.surgeon_id, ...partsOfMoment(time.operation_moment) }],
  );
  if (ofSurgeons.length === 0) return [];
  const bookings = await db
    .selectFrom("referral")
    .select(["id", "operation_date", "operation_hour", "operation_minute", "surgeon_id"])
    .where(({ eb, or, and }) =>
      or(
        ofSurgeons.map(({ surgeonId, day, hour, minute }) =>
          and([
            eb("operation_date", "=", day),
            eb("operation_hour", "=", hour),
            eb("operation_minute", "=", minute),
            eb(withoutIndex("surgeon_id"), "=", surgeonId),
          ]),
        ),
      ),
    )
    .where("cancellation_date", "is", null)
    .where("sent_at", "is not", null)
    .where(withoutIndex<string>("deleted_at"), "is", null)
    .where("status", "not in", WITHOUT_TIME)
    .execute();
  return ofSurgeons
    .filter(({ time, surgeonId, day, hour, minute }) =>
      bookings.some(
        (booking) =>
          booking.id !== time.referral_id &&
          booking.id !== exceptReferralId &&
          booking.surgeon_id === surgeonId &&
          booking.operation_date === day &&
          booking.operation_hour === hour &&
          booking.operation_minute === minute,
      ),
    )
    .map(({ time }) => time);
}

/** How an offer ended; `expired` includes unsettled ones past their deadline. */
export type OfferOutcome = "open" | "accepted" | "declined" | "expired" | "withdrawn";

const offersOf = (db: DbOrTx, referralId: number, operationMoment: string) =>
  db
    .selectFrom("time_offer")
    .innerJoin("freed_time", "freed_time.id", "time_offer.freed_time_id")
    .select([
      "time_offer.id",
      "time_offer.outcome",
      "time_offer.expires_at",
      "freed_time.id as freed_time_id",
      "freed_time.referral_id",
      "freed_time.operation_moment",
      "freed_time.duration_minutes",
      "freed_time.surgeon_id",
      "freed_time.closed_at",
    ])
    .where("time_offer.referral_id", "=", referralId)
    .where("freed_time.operation_moment", "=", operationMoment)
    .orderBy("time_offer.id", "desc")
    .limit(1);

export const findOffer = (db: DbOrTx, referralId: number, operationMoment: string) =>
  offersOf(db, referralId, operationMoment).executeTakeFirst();

export const lockOffer = (tx: Tx, referralId: number, operationMoment: string) =>
  forUpdate(tx, offersOf(tx, referralId, operationMoment)).executeTakeFirst();

/** Ends an open offer; false if it had ended. `whileOpenAt`: only if its deadline has not passed by then. */
export async function settleOffer(
  tx: Tx,
  id: number,
  outcome: Exclude<OfferOutcome, "open">,
  now: Date,
  { whileOpenAt }: { whileOpenAt?: Date } = {},
): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("time_offer")
      .set({ outcome, settled_at: toMoment(now), open_freed_time_id: null })
      .where("id", "=", id)
      .where("outcome", "=", "open")
      .$if(whileOpenAt !== undefined, (query) => query.where("expires_at", ">", toMoment(whileOpenAt!))),
  );
}

export async function hasOpenOfferOf(db: DbOrTx, referralId: number, now: Date): Promise<boolean> {
  const open = await db
    .selectFrom("time_offer")
    .select("id")
    .where("referral_id", "=", referralId)
    .where("outcome", "=", "open")
    .where("expires_at", ">", toMoment(now))
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

export async function settleExpired(tx: Tx, freedTimeId: number, now: Date): Promise<void> {
  await tx
    .updateTable("time_offer")
    .set({ outcome: "expired", settled_at: toMoment(now), open_freed_time_id: null })
    .where("open_freed_time_id", "=", freedTimeId)
    .where("expires_at", "<=", toMoment(now))
    .execute();
}

export async function insertOffer(
  tx: Tx,
  offer: { freedTimeId: number; referralId: number; offeredBy: number | null; expiresAt: Date },
  now: Date,
): Promise<number> {
  const { insertId } = await tx
    .insertInto("time_offer")
    .values({
      freed_time_id: offer.freedTimeId,
      open_freed_time_id: offer.freedTimeId,
      referral_id: offer.referralId,
      outbox_id: null,
      offered_by: offer.offeredBy,
      offered_at: toMoment(now),
      expires_at: toMoment(offer.expiresAt),
      outcome: "open",
      settled_at: null,
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function setOfferMessage(tx: Tx, id: number, outboxId: number): Promise<void> {
  await tx.updateTable("time_offer").set({ outbox_id: outboxId }).where("id", "=", id).execute();
}

export const findOfferByMessage = (db: DbOrTx, outboxId: number) =>
  db
    .selectFrom("time_offer")
    .select(["id", "outcome", "expires_at"])
    .where("outbox_id", "=", outboxId)
    .executeTakeFirst();

export function findOpenOffers(db: DbOrTx, of: { freedTimeId?: number; referralId?: number }) {
  let query = db.selectFrom("time_offer").select(["id", "referral_id", "outbox_id"]).where("outcome", "=", "open");
  if (of.freedTimeId !== undefined) query = query.where("open_freed_time_id", "=", of.freedTimeId);
  if (of.referralId !== undefined) query = query.where("referral_id", "=", of.referralId);
  return query.execute();
}

export async function findOffersOf(db: DbOrTx, freedTimeIds: number[]) {
  if (freedTimeIds.length === 0) return [];
  return db
    .selectFrom("time_offer")
    .innerJoin("referral", "referral.id", "time_offer.referral_id")
    .select([
      "time_offer.id",
      "time_offer.freed_time_id",
      "time_offer.referral_id",
      "time_offer.outcome",
      "time_offer.offered_at",
      "time_offer.expires_at",
      "referral.first_name",
      "referral.last_name",
    ])
    .where("time_offer.freed_time_id", "in", freedTimeIds)
    .orderBy("time_offer.id")
    .execute();
}

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
