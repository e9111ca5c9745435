import { type DbOrTx, forUpdate, rowCount, type Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import { sealedPatientWord } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";

export type AnswerSource = "link" | "sms";

export interface NewAnswer {
  referralId: number;
  operationMoment: string;
  answer: "confirmed" | "cancelled";
  source: AnswerSource;
  word?: string;
  statusBefore?: number | null;
}

export async function insertAnswer(tx: Tx, secrets: Secrets, answer: NewAnswer, now: Date): Promise<void> {
  const { referralId, operationMoment, source, word, statusBefore = null } = answer;
  markReferrals(tx, [referralId]);
  await tx
    .insertInto("appointmentAnswer")
    .values({
      referralId,
      operationMoment,
      answer: answer.answer,
      source,
      ...(word ? sealedPatientWord.seal(secrets, word) : { rowKey: null, wordEncrypted: null }),
      at: toMoment(now),
      statusBefore,
      undoneAt: null,
      undoneBy: null,
    })
    .execute();
}

export const countAnswers = (db: DbOrTx, referralId: number, operationMoment: string): Promise<number> =>
  rowCount(
    db
      .selectFrom("appointmentAnswer")
      .where("referralId", "=", referralId)
      .where("operationMoment", "=", operationMoment),
  );

export const lockCancellation = (tx: Tx, referralId: number, operationMoment: string) =>
  forUpdate(
    tx,
    tx
      .selectFrom("appointmentAnswer")
      .select(["id", "at", "statusBefore", "source"])
      .where("referralId", "=", referralId)
      .where("operationMoment", "=", operationMoment)
      .where("answer", "=", "cancelled")
      .where("undoneAt", "is", null)
      .orderBy("id", "desc")
      .limit(1),
  ).executeTakeFirst();

export async function markUndone(
  tx: Tx,
  { id, referralId }: { id: number; referralId: number },
  undoneBy: number | null,
  now: Date,
): Promise<void> {
  markReferrals(tx, [referralId]);
  await tx
    .updateTable("appointmentAnswer")
    .set({ undoneAt: toMoment(now), undoneBy })
    .where("id", "=", id)
    .execute();
}

export async function findAnswers(db: DbOrTx, secrets: Secrets, referralIds: number[]) {
  if (referralIds.length === 0) return [];
  const rows = await db
    .selectFrom("appointmentAnswer")
    .selectAll()
    .where("referralId", "in", referralIds)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    referralId: row.referralId,
    operationMoment: row.operationMoment,
    answer: row.answer as NewAnswer["answer"],
    source: row.source as AnswerSource,
    word: sealedPatientWord.open(secrets, row),
    at: row.at,
    isUndone: row.undoneAt !== null,
  }));
}
