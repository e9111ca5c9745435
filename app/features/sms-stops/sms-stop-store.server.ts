import { type DbOrTx, insertUnlessThere, type Tx, changesAny } from "~db/connection.server";
import { sealedStoppedNumber } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";

export async function insertStop(tx: Tx, secrets: Secrets, number: string, now: Date): Promise<boolean> {
  const { row_key, number_encrypted } = sealedStoppedNumber.seal(secrets, number);
  return insertUnlessThere(tx, "sms_stop", {
    number_hash: secrets.lookup("phone", number),
    row_key,
    number_encrypted,
    stopped_at: toMoment(now),
  });
}

/** Since when a number gets no reminders; null if it gets them. */
export async function findStop(db: DbOrTx, secrets: Secrets, number: string): Promise<Date | null> {
  const stop = await db
    .selectFrom("sms_stop")
    .select("stopped_at")
    .where("number_hash", "in", secrets.lookups("phone", number))
    .limit(1)
    .executeTakeFirst();
  return stop === undefined ? null : new Date(stop.stopped_at);
}

export async function deleteStop(tx: Tx, secrets: Secrets, number: string): Promise<boolean> {
  return changesAny(tx.deleteFrom("sms_stop").where("number_hash", "in", secrets.lookups("phone", number)));
}
