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
    .insertInto("appointment_answer")
    .values({
      referral_id: referralId,
      operation_moment: operationMoment,
      answer: answer.answer,
      source,
      ...(word ? sealedPatientWord.seal(secrets, word) : { row_key: null, word_encrypted: null }),
      at: toMoment(now),
      status_before: statusBefore,
      undone_at: null,
      undone_by: null,
    })
    .execute();
}

export const countAnswers = (db: DbOrTx, referralId: number, operationMoment: string): Promise<number> =>
  rowCount(
    db
      .selectFrom("appointment_answer")
      .where("referral_id", "=", referralId)
      .where("operation_moment", "=", operationMoment),
  );

export const lockCancellation = (tx: Tx, referralId: number, operationMoment: string) =>
  forUpdate(
    tx,
    tx
      .selectFrom("appointment_answer")
      .select(["id", "at", "status_before", "source"])
      .where("referral_id", "=", referralId)
      .where("operation_moment", "=", operationMoment)
      .where("answer", "=", "cancelled")
      .where("undone_at", "is", null)
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
    .updateTable("appointment_answer")
    .set({ undone_at: toMoment(now), undone_by: undoneBy })
    .where("id", "=", id)
    .execute();
}

export async function findAnswers(db: DbOrTx, secrets: Secrets, referralIds: number[]) {
  if (referralIds.length === 0) return [];
  const rows = await db
    .selectFrom("appointment_answer")
    .selectAll()
    .where("referral_id", "in", referralIds)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    referralId: row.referral_id,
    operationMoment: row.operation_moment,
    answer: row.answer as NewAnswer["answer"],
    source: row.source as AnswerSource,
    word: sealedPatientWord.open(secrets, row),
    at: row.at,
    isUndone: row.undone_at !== null,
  }));
}
