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
    .insertInto("patientMessage")
    .values({
      referralId: message.referralId,
      outboxId: message.outboxId,
      purpose: message.purpose,
      letterNumber: message.letterNumber,
      messageType: message.type,
      createdAt: toMoment(now),
    })
    .execute();
}

export function findByMessage(db: DbOrTx, outboxId: number) {
  return db
    .selectFrom("patientMessage")
    .select(["purpose", "letterNumber"])
    .where("outboxId", "=", outboxId)
    .executeTakeFirst();
}

export async function findPatientMessages(db: DbOrTx, referralId: ScopedReferralId) {
  const rows = await db
    .selectFrom("patientMessage as message")
    .leftJoin("outbox as sending", "sending.id", "message.outboxId")
    .selectAll("message")
    .select(sendingColumns)
    .where("message.referralId", "=", referralId)
    .orderBy("message.id", "desc")
    .execute();
  return rows.map((row) => letterSending({ ...row, status: 0, sendDate: null }));
}

/** The newest message for the same files; links in older ones are invalid. */
export async function findNewestMessage(
  db: DbOrTx,
  referralId: number,
  { purpose, letterNumber }: LinkedFilesOf,
): Promise<number | null> {
  const row = await db
    .selectFrom("patientMessage")
    .select("outboxId")
    .where("referralId", "=", referralId)
    .where("purpose", "=", purpose)
    .where("letterNumber", letterNumber === null ? "is" : "=", letterNumber)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.outboxId ?? null;
}

export async function findLetterMessages(db: DbOrTx, referralIds: readonly number[]) {
  if (referralIds.length === 0) return [];
  return db
    .selectFrom("patientMessage as message")
    .innerJoin("outbox as sending", "sending.id", "message.outboxId")
    .select([
      "message.referralId",
      "message.letterNumber",
      "message.messageType",
      "message.createdAt",
      "sending.outcome",
      "sending.settledAt",
    ])
    .where("message.referralId", "in", referralIds)
    .where("message.purpose", "=", "radiographLink")
    .where("message.letterNumber", "is not", null)
    .orderBy("message.id", "desc")
    .execute();
}

export async function findLinkedLetter(db: DbOrTx, referralId: ScopedReferralId, letterNumber: number) {
  const letter = await db
    .selectFrom("dischargeLetter")
    .select(["id", "diagnosisFileId"])
    .where("referralId", "=", referralId)
    .where("letterNumber", "=", letterNumber)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (letter === undefined) return undefined;
  const images = await db
    .selectFrom("dischargeLetterImage")
    .select("storedFileId")
    .where("dischargeLetterId", "=", letter.id)
    .orderBy("id")
    .execute();
  return { pdfFileId: letter.diagnosisFileId, imageFileIds: images.map((image) => image.storedFileId) };
}
