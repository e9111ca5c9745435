import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import { trustedReferral } from "~/access/scope.server";
import { toMoment } from "~/text/dates";
import type { ReferralRow } from "./referral-store.server";

/** A sent referral, locked until the transaction ends; undefined if deleted or a draft. */
export async function lockSentReferral(tx: Tx, id: number): Promise<ReferralRow | undefined> {
  const row = await forUpdate(
    tx,
    tx
      .selectFrom("referral")
      .selectAll()
      .where("id", "=", id)
      .where("sent_at", "is not", null)
      .where("deleted_at", "is", null),
  ).executeTakeFirst();
  return row && { ...row, id: trustedReferral(row.id) };
}

export async function markAnswer(
  tx: Tx,
  id: number,
  answer: "cancelled" | "confirmed" | null,
  now: Date,
): Promise<void> {
  const at = toMoment(now);
  markReferrals(tx, [id]);
  await tx
    .updateTable("referral")
    .set({
      cancellation_date: answer === "cancelled" ? at : null,
      confirmed_at: answer === "confirmed" ? at : null,
    })
    .where("id", "=", id)
    .execute();
}

/** Clears the answer before another time is written, and notes when; returns whether the time differs. */
export async function clearAnswerIfMoved(
  tx: DbOrTx,
  id: number,
  { day, hour, minute }: { day: string | null; hour: number | null; minute: number | null },
  now: Date,
): Promise<boolean> {
  const row = await tx
    .selectFrom("referral")
    .select(["operation_date", "operation_hour", "operation_minute"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return false;
  const isSame =
    row.operation_date === day &&
    (day === null || ((row.operation_hour ?? 0) === (hour ?? 0) && (row.operation_minute ?? 0) === (minute ?? 0)));
  if (isSame) return false;
  markReferrals(tx, [id]);
  await tx
    .updateTable("referral")
    .set({ cancellation_date: null, confirmed_at: null, operation_set_at: toMoment(now) })
    .where("id", "=", id)
    .execute();
  return true;
}

/** Writes a time the patient accepted; raises the version for open forms. */
export async function bookTime(
  tx: Tx,
  id: number,
  time: { day: string; hour: number; minute: number; durationMinutes: number | null; surgeonId: number | null },
  now: Date,
): Promise<void> {
  markReferrals(tx, [id]);
  await tx
    .updateTable("referral")
    .set((eb) => ({
      operation_date: time.day,
      operation_hour: time.hour,
      operation_minute: time.minute,
      operation_duration: time.durationMinutes,
      ...(time.surgeonId === null ? {} : { surgeon_id: time.surgeonId }),
      cancellation_date: null,
      confirmed_at: toMoment(now),
      operation_set_at: toMoment(now),
      modified_at: toMoment(now),
      version: eb("version", "+", 1),
    }))
    .where("id", "=", id)
    .execute();
}
