import { type DbOrTx, type Tx, unlessTaken } from "~db/connection.server";
import { WITHOUT_TIME } from "~/features/referrals/model/status";
import { toMoment } from "~/text/dates";
import { reminderChannel } from "./reminder-settings.server";

export interface ReminderKey {
  referralId: number;
  operationMoment: string;
  rule: number | null;
}

/** Records a reminder before it is queued and returns its id; null if this rule's was sent for the time. */
export async function claimReminder(tx: Tx, key: ReminderKey, now: Date): Promise<number | null> {
  const { referralId, operationMoment, rule } = key;
  const row = {
    referral_id: referralId,
    operation_moment: operationMoment,
    rule,
    outbox_id: null,
    queued_at: toMoment(now),
  };
  const claimed = await unlessTaken(
    tx.insertInto("appointment_reminder").values(row).executeTakeFirstOrThrow(),
    () => null,
  );
  return claimed && Number(claimed.insertId);
}

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

/** Referrals with an unanswered time on these days whose patients can be reached. */
export function findExpected(db: DbOrTx, { from, to }: { from: string; to: string }) {
  return db
    .selectFrom("referral")
    .select(["id", "operation_date", "operation_hour", "operation_minute", "treatment_type_id"])
    .where("operation_date", ">=", from)
    .where("operation_date", "<=", to)
    .where("sent_at", "is not", null)
    .where("deleted_at", "is", null)
    .where("is_test", "=", 0)
    .where(reminderChannel.contact, "is not", null)
    .where("cancellation_date", "is", null)
    .where("confirmed_at", "is", null)
    .where("status", "not in", WITHOUT_TIME)
    .orderBy("operation_date")
    .orderBy("id")
    .execute();
}

export async function findGone(db: DbOrTx, referralIds: number[]): Promise<ReminderKey[]> {
  const found: ReminderKey[] = [];
  for (let start = 0; start < referralIds.length; start += IDS) {
    const rows = await db
      .selectFrom("appointment_reminder")
      .select(["referral_id", "operation_moment", "rule"])
      .where("referral_id", "in", referralIds.slice(start, start + IDS))
      .where("rule", "is not", null)
      .execute();
    found.push(
      ...rows.map((row) => ({ referralId: row.referral_id, operationMoment: row.operation_moment, rule: row.rule })),
    );
  }
  return found;
}

const IDS = 1000;
