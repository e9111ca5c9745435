import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import { withoutIndex } from "~db/without-index";
import { partsOfMoment } from "~/features/referrals/model/operation-moment";
import { WITHOUT_TIME } from "~/features/referrals/model/status";
import { toMoment } from "~/text/dates";

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

/** The newest freed time of a referral at a moment. */
export const findFreedTimeOf = (db: DbOrTx, referralId: number, operationMoment: string) =>
  newestOf(db, referralId, operationMoment).executeTakeFirst();

export const lockFreedTimeOf = (tx: Tx, referralId: number, operationMoment: string) =>
  forUpdate(tx, newestOf(tx, referralId, operationMoment)).executeTakeFirst();

/** A freed time by id, locked until the transaction ends. */
export const lockFreedTime = (tx: Tx, id: number) =>
  forUpdate(tx, tx.selectFrom("freed_time").selectAll().where("id", "=", id)).executeTakeFirst();

export async function closeFreedTime(
  tx: Tx,
  id: number,
  because: "taken" | "undone" | "removed",
  takenBy: number | null,
  now: Date,
): Promise<boolean> {
  const closed = await tx
    .updateTable("freed_time")
    .set({ closed_at: toMoment(now), closed_because: because, taken_by: takenBy })
    .where("id", "=", id)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  return closed.numUpdatedRows > 0n;
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

/** Whether another patient has the same surgeon at the time of a freed one. */
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
