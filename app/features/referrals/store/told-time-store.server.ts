import type { DbOrTx, Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import { toMoment } from "~/text/dates";
import type { ToldBy, ToldTime } from "../model/told-time";

/** Notes that a patient was told a time. `outboxId` is the message that told it. */
export async function insertToldTime(
  tx: Tx,
  { referralId, moment, how, outboxId = null }: Omit<ToldTime, "at"> & { referralId: number; outboxId?: number | null },
  now: Date,
): Promise<void> {
  markReferrals(tx, [referralId]);
  await tx
    .insertInto("toldTime")
    .values({ referralId, moment, how, outboxId, toldAt: toMoment(now) })
    .execute();
}

/** Takes back what a message has told: it came back, or has not left after all. */
export async function deleteToldTime(tx: Tx, referralId: number, outboxId: number): Promise<void> {
  markReferrals(tx, [referralId]);
  await tx.deleteFrom("toldTime").where("referralId", "=", referralId).where("outboxId", "=", outboxId).execute();
}

/** Takes back that a patient has cancelled, which was a misunderstanding. */
export async function deleteCancelled(tx: Tx, referralId: number): Promise<void> {
  markReferrals(tx, [referralId]);
  await tx.deleteFrom("toldTime").where("referralId", "=", referralId).where("how", "=", "cancelled").execute();
}

/** What each patient was last told; absent where nothing is known. */
export async function findToldTimes(db: DbOrTx, referralIds: readonly number[]): Promise<Map<number, ToldTime>> {
  if (referralIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("toldTime")
    .select(["referralId", "moment", "how", "toldAt"])
    .where("referralId", "in", referralIds)
    .orderBy("id")
    .execute();
  return new Map(
    rows.map(({ referralId, moment, how, toldAt: at }) => [referralId, { moment, how: how as ToldBy, at }]),
  );
}

export function findPlannedTimes(tx: Tx, ids: readonly number[]) {
  return tx
    .selectFrom("referral")
    .select([
      "id",
      "operationDate",
      "operationHour",
      "operationMinute",
      "cancellationDate",
      "sentAt",
      "deletedAt",
      "isTest",
      "tellUntil",
    ])
    .where("id", "in", ids)
    .execute();
}

export async function saveTellUntil(tx: Tx, id: number, tellUntil: string | null): Promise<void> {
  await tx.updateTable("referral").set({ tellUntil }).where("id", "=", id).execute();
}
