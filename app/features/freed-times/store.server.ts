import { partsOfMoment } from "~/features/referrals/model/operation-moment";
import { WAITING_FOR_TIME, WITHOUT_TIME } from "~/features/referrals/model/statuses";
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
    .insertInto("freedTime")
    .values({
      referralId: time.referralId,
      operationMoment: time.operationMoment,
      durationMinutes: time.durationMinutes,
      treatmentTypeId: time.treatmentTypeId,
      surgeonId: time.surgeonId,
      freedAt: toMoment(now),
      closedAt: null,
      closedBecause: null,
      takenBy: null,
    })
    .execute();
}

const newestOf = (db: DbOrTx, referralId: number, operationMoment: string) =>
  db
    .selectFrom("freedTime")
    .selectAll()
    .where("referralId", "=", referralId)
    .where("operationMoment", "=", operationMoment)
    .orderBy("id", "desc")
    .limit(1);

export const findFreedTimeOf = (db: DbOrTx, referralId: number, operationMoment: string) =>
  newestOf(db, referralId, operationMoment).executeTakeFirst();

export const lockFreedTimeOf = (tx: Tx, referralId: number, operationMoment: string) =>
  forUpdate(tx, newestOf(tx, referralId, operationMoment)).executeTakeFirst();

export const lockFreedTime = (tx: Tx, id: number) =>
  forUpdate(tx, tx.selectFrom("freedTime").selectAll().where("id", "=", id)).executeTakeFirst();

export async function closeFreedTime(
  tx: Tx,
  id: number,
  because: "taken" | "undone" | "removed",
  takenBy: number | null,
  now: Date,
): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("freedTime")
      .set({ closedAt: toMoment(now), closedBecause: because, takenBy })
      .where("id", "=", id)
      .where("closedAt", "is", null),
  );
}

export async function hasOpenOffer(tx: DbOrTx, freedTimeId: number, now: Date): Promise<boolean> {
  const open = await tx
    .selectFrom("timeOffer")
    .select("id")
    .where("openFreedTimeId", "=", freedTimeId)
    .where("expiresAt", ">", toMoment(now))
    .executeTakeFirst();
  return open !== undefined;
}

interface TimeOfSurgeon {
  referralId: number;
  operationMoment: string;
  surgeonId: number | null;
}

export async function isBookedByAnother(
  tx: DbOrTx,
  time: TimeOfSurgeon,
  exceptReferralId = time.referralId,
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
    time.surgeonId === null ? [] : [{ time, surgeonId: time.surgeonId, ...partsOfMoment(time.operationMoment) }],
  );
  if (ofSurgeons.length === 0) return [];
  const bookings = await db
    .selectFrom("referral")
    .select(["id", "operationDate", "operationHour", "operationMinute", "surgeonId"])
    .where(({ eb, or, and }) =>
      or(
        ofSurgeons.map(({ surgeonId, day, hour, minute }) =>
          and([
            eb("operationDate", "=", day),
            eb("operationHour", "=", hour),
            eb("operationMinute", "=", minute),
            eb(withoutIndex("surgeonId"), "=", surgeonId),
          ]),
        ),
      ),
    )
    .where("cancellationDate", "is", null)
    .where("sentAt", "is not", null)
    .where(withoutIndex<string>("deletedAt"), "is", null)
    .where("status", "not in", WITHOUT_TIME)
    .execute();
  return ofSurgeons
    .filter(({ time, surgeonId, day, hour, minute }) =>
      bookings.some(
        (booking) =>
          booking.id !== time.referralId &&
          booking.id !== exceptReferralId &&
          booking.surgeonId === surgeonId &&
          booking.operationDate === day &&
          booking.operationHour === hour &&
          booking.operationMinute === minute,
      ),
    )
    .map(({ time }) => time);
}

/** How an offer ended; `expired` includes unsettled ones past their deadline. */
export type OfferOutcome = "open" | "accepted" | "declined" | "expired" | "withdrawn";

const offersOf = (db: DbOrTx, referralId: number, operationMoment: string) =>
  db
    .selectFrom("timeOffer")
    .innerJoin("freedTime", "freedTime.id", "timeOffer.freedTimeId")
    .select([
      "timeOffer.id",
      "timeOffer.outcome",
      "timeOffer.expiresAt",
      "freedTime.id as freedTimeId",
      "freedTime.referralId",
      "freedTime.operationMoment",
      "freedTime.durationMinutes",
      "freedTime.surgeonId",
      "freedTime.closedAt",
    ])
    .where("timeOffer.referralId", "=", referralId)
    .where("freedTime.operationMoment", "=", operationMoment)
    .orderBy("timeOffer.id", "desc")
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
      .updateTable("timeOffer")
      .set({ outcome, settledAt: toMoment(now), openFreedTimeId: null })
      .where("id", "=", id)
      .where("outcome", "=", "open")
      .$if(whileOpenAt !== undefined, (query) => query.where("expiresAt", ">", toMoment(whileOpenAt!))),
  );
}

export async function hasOpenOfferOf(db: DbOrTx, referralId: number, now: Date): Promise<boolean> {
  const open = await db
    .selectFrom("timeOffer")
    .select("id")
    .where("referralId", "=", referralId)
    .where("outcome", "=", "open")
    .where("expiresAt", ">", toMoment(now))
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

export async function settleExpired(tx: Tx, freedTimeId: number, now: Date): Promise<void> {
  await tx
    .updateTable("timeOffer")
    .set({ outcome: "expired", settledAt: toMoment(now), openFreedTimeId: null })
    .where("openFreedTimeId", "=", freedTimeId)
    .where("expiresAt", "<=", toMoment(now))
    .execute();
}

export async function insertOffer(
  tx: Tx,
  offer: { freedTimeId: number; referralId: number; offeredBy: number | null; expiresAt: Date },
  now: Date,
): Promise<number> {
  const { insertId } = await tx
    .insertInto("timeOffer")
    .values({
      freedTimeId: offer.freedTimeId,
      openFreedTimeId: offer.freedTimeId,
      referralId: offer.referralId,
      outboxId: null,
      offeredBy: offer.offeredBy,
      offeredAt: toMoment(now),
      expiresAt: toMoment(offer.expiresAt),
      outcome: "open",
      settledAt: null,
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function setOfferMessage(tx: Tx, id: number, outboxId: number): Promise<void> {
  await tx.updateTable("timeOffer").set({ outboxId }).where("id", "=", id).execute();
}

export const findOfferByMessage = (db: DbOrTx, outboxId: number) =>
  db.selectFrom("timeOffer").select(["id", "outcome", "expiresAt"]).where("outboxId", "=", outboxId).executeTakeFirst();

export function findOpenOffers(db: DbOrTx, of: { freedTimeId?: number; referralId?: number }) {
  let query = db.selectFrom("timeOffer").select(["id", "referralId", "outboxId"]).where("outcome", "=", "open");
  if (of.freedTimeId !== undefined) query = query.where("openFreedTimeId", "=", of.freedTimeId);
  if (of.referralId !== undefined) query = query.where("referralId", "=", of.referralId);
  return query.execute();
}

export async function findOffersOf(db: DbOrTx, freedTimeIds: number[]) {
  if (freedTimeIds.length === 0) return [];
  return db
    .selectFrom("timeOffer")
    .innerJoin("referral", "referral.id", "timeOffer.referralId")
    .select([
      "timeOffer.id",
      "timeOffer.freedTimeId",
      "timeOffer.referralId",
      "timeOffer.outcome",
      "timeOffer.offeredAt",
      "timeOffer.expiresAt",
      "referral.firstName",
      "referral.lastName",
    ])
    .where("timeOffer.freedTimeId", "in", freedTimeIds)
    .orderBy("timeOffer.id")
    .execute();
}

/** Free future times, soonest first. @param from `YYYY-MM-DD HH:MM` in Copenhagen */
export function findFreeTimes(db: DbOrTx, from: string, limit: number) {
  return db
    .selectFrom("freedTime")
    .leftJoin("treatmentType", "treatmentType.id", "freedTime.treatmentTypeId")
    .leftJoin("user as surgeon", "surgeon.id", "freedTime.surgeonId")
    .select([
      "freedTime.id",
      "freedTime.referralId",
      "freedTime.operationMoment",
      "freedTime.durationMinutes",
      "freedTime.treatmentTypeId",
      "freedTime.surgeonId",
      "treatmentType.name as treatment",
      "surgeon.firstName as surgeonFirstName",
      "surgeon.lastName as surgeonLastName",
    ])
    .where("freedTime.closedAt", "is", null)
    .where("freedTime.operationMoment", ">", from)
    .orderBy("freedTime.operationMoment")
    .orderBy("freedTime.id")
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
    .select(["id", "firstName", "lastName", "createDate", "treatmentTypeId"])
    .select(({ fn }) => [
      fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy("treatmentTypeId").orderBy("createDate").orderBy("id"))
        .as("place"),
      fn
        .countAll<number>()
        .over((over) => over.partitionBy("treatmentTypeId"))
        .as("total"),
    ])
    .where("status", "in", WAITING_FOR_TIME)
    .where("sentAt", "is not", null)
    .where(withoutIndex<string>("deletedAt"), "is", null)
    .where(withoutIndex<boolean>("isTest"), "=", false)
    .where("mobilePhone", "is not", null)
    .where((eb) =>
      eb.or([
        ...(known.length > 0 ? [eb("treatmentTypeId", "in", known)] : []),
        ...(types.includes(null) ? [eb("treatmentTypeId", "is", null)] : []),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("timeOffer")
            .select("timeOffer.id")
            .whereRef("timeOffer.referralId", "=", "referral.id")
            .where("timeOffer.outcome", "=", "open")
            .where("timeOffer.expiresAt", ">", toMoment(now)),
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
    const ofType = rows.filter((row) => row.treatmentTypeId === one.treatmentTypeId);
    const left = ofType.filter(({ id }) => !one.without.includes(id));
    return {
      rows: left.slice(0, limit),
      count: Number(ofType[0]?.total ?? 0) - (ofType.length - left.length),
    };
  });
}
