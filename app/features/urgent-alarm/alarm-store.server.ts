import { type DbOrTx, idsOf, type Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

/**
 * What the clinic is alarmed of: a new urgent referral or letter, or clinical words in what a patient wrote. An `unplaced`
 * answer belongs to no referral yet.
 */
type Raised =
  | { cause: "referral" | "answer"; referralId: number; ediMessageId?: undefined }
  | { cause: "unplaced"; referralId?: undefined; ediMessageId?: undefined }
  | { cause: "letter"; ediMessageId: number; referralId?: undefined };

/** Notes what the next alarm tells. Written in the transaction that causes it, so that none is lost. */
export async function raiseAlarm(tx: Tx, { cause, referralId, ediMessageId }: Raised, now: Date): Promise<void> {
  await tx
    .insertInto("alarm")
    .values({ cause, referralId: referralId ?? null, ediMessageId: ediMessageId ?? null, raisedAt: toMoment(now) })
    .execute();
}

export async function isAlarmRaised(db: DbOrTx): Promise<boolean> {
  return (
    (await db.selectFrom("alarm").select("id").where("toldAt", "is", null).limit(1).executeTakeFirst()) !== undefined
  );
}

export async function wasToldSince(db: DbOrTx, since: Date): Promise<boolean> {
  const told = db.selectFrom("alarm").select("id").where("toldAt", ">", toMoment(since)).limit(1);
  return (await told.executeTakeFirst()) !== undefined;
}

/** What no alarm has told, oldest first. `isReal`: of no test referral and no deleted one. */
export async function findRaised(db: DbOrTx) {
  const rows = await db
    .selectFrom("alarm")
    .leftJoin("referral", "referral.id", "alarm.referralId")
    .select([
      "alarm.id",
      "alarm.cause",
      "alarm.referralId",
      "alarm.ediMessageId",
      "referral.isTest",
      "referral.deletedAt",
    ])
    .where("alarm.toldAt", "is", null)
    .orderBy("alarm.id")
    .execute();
  return rows.map(({ isTest, deletedAt, cause, referralId, ediMessageId, id }) => ({
    id,
    cause: cause as Raised["cause"],
    number: referralId ?? ediMessageId,
    isReal: !isTest && deletedAt === null,
  }));
}

/** Marks rows as told, and deletes those that were told before: only the newest alarm delays the next one. */
export async function markTold(tx: Tx, told: readonly { id: number }[], now: Date): Promise<void> {
  await tx.deleteFrom("alarm").where("toldAt", "is not", null).execute();
  if (told.length > 0)
    await tx
      .updateTable("alarm")
      .set({ toldAt: toMoment(now) })
      .where("id", "in", idsOf(told))
      .execute();
}

export async function forgetRaised(tx: Tx, raised: readonly { id: number }[]): Promise<void> {
  if (raised.length > 0) await tx.deleteFrom("alarm").where("id", "in", idsOf(raised)).execute();
}
