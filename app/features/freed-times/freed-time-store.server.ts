import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
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

/** The same, locked until the transaction ends. */
export const lockFreedTimeOf = (tx: Tx, referralId: number, operationMoment: string) =>
  forUpdate(tx, newestOf(tx, referralId, operationMoment)).executeTakeFirst();

/** One by its id, locked until the transaction ends. */
export const lockFreedTime = (tx: Tx, id: number) =>
  forUpdate(tx, tx.selectFrom("freed_time").selectAll().where("id", "=", id)).executeTakeFirst();

/** Ends that a time is free. Answers false when it had ended before. */
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

/** Whether somebody has been offered a time and may still accept it. */
export async function hasOpenOffer(tx: DbOrTx, freedTimeId: number, now: Date): Promise<boolean> {
  const open = await tx
    .selectFrom("time_offer")
    .select("id")
    .where("open_freed_time_id", "=", freedTimeId)
    .where("expires_at", ">", toMoment(now))
    .executeTakeFirst();
  return open !== undefined;
}

/** Whether another patient comes to the same surgeon at the moment of a freed time, however they came by it. */
export async function isBookedByAnother(
  tx: DbOrTx,
  time: { referral_id: number; operation_moment: string; surgeon_id: number | null },
  exceptReferralId = time.referral_id,
): Promise<boolean> {
  if (time.surgeon_id === null) return false;
  const { day, hour, minute } = partsOfMoment(time.operation_moment);
  const booked = await tx
    .selectFrom("referral")
    .select("id")
    .where("operation_date", "=", day)
    .where("operation_hour", "=", hour)
    .where("operation_minute", "=", minute)
    .where("surgeon_id", "=", time.surgeon_id)
    .where("id", "not in", [time.referral_id, exceptReferralId])
    .where("cancellation_date", "is", null)
    .where("sent_at", "is not", null)
    .where("deleted_at", "is", null)
    .where("status", "not in", WITHOUT_TIME)
    .limit(1)
    .executeTakeFirst();
  return booked !== undefined;
}
