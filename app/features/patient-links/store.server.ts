import type { ScopedReferralId } from "~/access/scope.server";
import { letterSending, sendingColumns } from "~/features/referrals/model/sending-state";
import { toMoment } from "~/text/dates";
import type { DbOrTx, Tx } from "~db/connection.server";

export type FileLinkPurpose = "radiographLink" | "letterFilesLink";

export interface LinkedFilesOf {
  purpose: FileLinkPurpose;
  letterNumber: number | null;
}

export async function insertPatientMessage(
  tx: Tx,
  message: LinkedFilesOf & { referralId: ScopedReferralId; outboxId: number; type: number },
  now: Date,
): Promise<void> {
  await tx
    .insertInto("patient_message")
    .values({
      referral_id: message.referralId,
      outbox_id: message.outboxId,
      purpose: message.purpose,
      letter_number: message.letterNumber,
      message_type: message.type,
      created_at: toMoment(now),
    })
    .execute();
}

export function findByMessage(db: DbOrTx, outboxId: number) {
  return db
    .selectFrom("patient_message")
    .select(["purpose", "letter_number"])
    .where("outbox_id", "=", outboxId)
    .executeTakeFirst();
}

export async function findPatientMessages(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await db
    .selectFrom("patient_message as message")
    .leftJoin("outbox as sending", "sending.id", "message.outbox_id")
    .selectAll("message")
    .select(sendingColumns)
    .where("message.referral_id", "=", referralId)
    .orderBy("message.id", "desc")
    .execute();
  return rows.map((row) => letterSending({ ...row, status: 0, send_date: null }));
}

/** The newest message for the same files; links in older ones are invalid. */
export async function findNewestMessage(
  db: DbOrTx,
  referralId: number,
  { purpose, letterNumber }: LinkedFilesOf,
): Promise<number | null> {
  const row = await db
    .selectFrom("patient_message")
    .select("outbox_id")
    .where("referral_id", "=", referralId)
    .where("purpose", "=", purpose)
    .where("letter_number", letterNumber === null ? "is" : "=", letterNumber)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.outbox_id ?? null;
}

export async function findLetterMessages(db: DbOrTx, referralIds: readonly number[]) {
  if (referralIds.length === 0) return [];
  return db
    .selectFrom("patient_message as message")
    .innerJoin("outbox as sending", "sending.id", "message.outbox_id")
    .select([
      "message.referral_id",
      "message.letter_number",
      "message.message_type",
      "message.created_at",
      "sending.outcome",
      "sending.settled_at",
    ])
    .where("message.referral_id", "in", referralIds)
    .where("message.purpose", "=", "radiographLink")
    .where("message.letter_number", "is not", null)
    .orderBy("message.id", "desc")
    .execute();
}

export async function findLinkedLetter(db: DbOrTx, referralId: ScopedReferralId, letterNumber: number) {
  const letter = await db
    .selectFrom("discharge_letter")
    .select(["id", "diagnosis_file_id"])
    .where("referral_id", "=", referralId)
    .where("letter_number", "=", letterNumber)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (letter === undefined) return undefined;
  const images = await db
    .selectFrom("discharge_letter_image")
    .select("stored_file_id")
    .where("discharge_letter_id", "=", letter.id)
    .orderBy("id")
    .execute();
  return { pdfFileId: letter.diagnosis_file_id, imageFileIds: images.map((image) => image.stored_file_id) };
}
