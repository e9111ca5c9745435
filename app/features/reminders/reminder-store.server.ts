import { type DbOrTx, isDuplicate, type Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

export interface ReminderKey {
  referralId: number;
  operationMoment: string;
  /** Of the settings, 1 to 3; null: somebody sends it, as often as they want. */
  rule: number | null;
}

/** Notes that a reminder goes, before it is queued. Answers its id; null when the same one of the settings has gone for this time. */
export async function claimReminder(tx: Tx, key: ReminderKey, now: Date): Promise<number | null> {
  const { referralId, operationMoment, rule } = key;
  const row = {
    referral_id: referralId,
    operation_moment: operationMoment,
    rule,
    outbox_id: null,
    queued_at: toMoment(now),
  };
  try {
    const { insertId } = await tx.insertInto("appointment_reminder").values(row).executeTakeFirstOrThrow();
    return Number(insertId);
  } catch (error) {
    if (isDuplicate(error)) return null;
    throw error;
  }
}

/** The message that a reminder went as. */
export async function setMessage(tx: Tx, id: number, outboxId: number): Promise<void> {
  await tx.updateTable("appointment_reminder").set({ outbox_id: outboxId }).where("id", "=", id).execute();
}

export async function findByMessage(db: DbOrTx, outboxId: number) {
  const row = await db
    .selectFrom("appointment_reminder")
    .select(["operation_moment", "rule"])
    .where("outbox_id", "=", outboxId)
    .executeTakeFirst();
  return row && { operationMoment: row.operation_moment, rule: row.rule };
}
