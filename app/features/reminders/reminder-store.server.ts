import { type DbOrTx, type Tx, unlessTaken } from "~db/connection.server";
import { WITHOUT_TIME } from "~/features/referrals/model/statuses";
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
    referralId,
    operationMoment,
    rule,
    outboxId: null,
    queuedAt: toMoment(now),
  };
  const claimed = await unlessTaken(
    tx.insertInto("appointmentReminder").values(row).executeTakeFirstOrThrow(),
    () => null,
  );
  return claimed && Number(claimed.insertId);
}

export async function setMessage(tx: Tx, id: number, outboxId: number): Promise<void> {
  await tx.updateTable("appointmentReminder").set({ outboxId }).where("id", "=", id).execute();
}

export async function findByMessage(db: DbOrTx, outboxId: number) {
  const row = await db
    .selectFrom("appointmentReminder")
    .select(["operationMoment", "rule"])
    .where("outboxId", "=", outboxId)
    .executeTakeFirst();
  return row && { operationMoment: row.operationMoment, rule: row.rule };
}

/** Referrals with an unanswered time on these days whose patients can be reached. */
export function findExpected(db: DbOrTx, { from, to }: { from: string; to: string }) {
  return db
    .selectFrom("referral")
    .select(["id", "operationDate", "operationHour", "operationMinute", "treatmentTypeId"])
    .where("operationDate", ">=", from)
    .where("operationDate", "<=", to)
    .where("sentAt", "is not", null)
    .where("deletedAt", "is", null)
    .where("isTest", "=", false)
    .where(reminderChannel.contact, "is not", null)
    .where("cancellationDate", "is", null)
    .where("confirmedAt", "is", null)
    .where("status", "not in", WITHOUT_TIME)
    .orderBy("operationDate")
    .orderBy("id")
    .execute();
}

export async function findGone(db: DbOrTx, referralIds: number[]): Promise<ReminderKey[]> {
  const found: ReminderKey[] = [];
  for (let start = 0; start < referralIds.length; start += IDS) {
    const rows = await db
      .selectFrom("appointmentReminder")
      .select(["referralId", "operationMoment", "rule"])
      .where("referralId", "in", referralIds.slice(start, start + IDS))
      .where("rule", "is not", null)
      .execute();
    found.push(
      ...rows.map((row) => ({ referralId: row.referralId, operationMoment: row.operationMoment, rule: row.rule })),
    );
  }
  return found;
}

const IDS = 1000;
