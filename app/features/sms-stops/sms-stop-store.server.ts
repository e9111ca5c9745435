import { type DbOrTx, insertUnlessThere, type Tx, changesAny } from "~db/connection.server";
import { sealedStoppedNumber } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";

export async function insertStop(tx: Tx, secrets: Secrets, number: string, now: Date): Promise<boolean> {
  const { rowKey, numberEncrypted } = sealedStoppedNumber.seal(secrets, number);
  return insertUnlessThere(tx, "smsStop", {
    numberHash: secrets.lookup("phone", number),
    rowKey,
    numberEncrypted,
    stoppedAt: toMoment(now),
  });
}

/** Since when a number gets no reminders; null if it gets them. */
export async function findStop(db: DbOrTx, secrets: Secrets, number: string): Promise<Date | null> {
  const stop = await db
    .selectFrom("smsStop")
    .select("stoppedAt")
    .where("numberHash", "in", secrets.lookups("phone", number))
    .limit(1)
    .executeTakeFirst();
  return stop === undefined ? null : new Date(stop.stoppedAt);
}

export async function deleteStop(tx: Tx, secrets: Secrets, number: string): Promise<boolean> {
  return changesAny(tx.deleteFrom("smsStop").where("numberHash", "in", secrets.lookups("phone", number)));
}
