import { addDays } from "date-fns";
import type { Updateable } from "kysely";
import type { ScopedReferralId } from "~/access/scope.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import {
  dischargeSending,
  ediColumns,
  type EdiSending,
  type Sending,
  sendingColumns,
} from "~/features/referrals/model/sending-state";
import { toMoment } from "~/text/dates";
import { type DbOrTx, type Tx, changesAny } from "~db/connection.server";
import type { Database } from "~db/schema";
import { Refusal } from "~/access/refusal";

/** Letters of some referrals that are not deleted, newest first, with the latest sending's state. */
export async function findLetters(db: DbOrTx, referralIds: readonly number[]) {
  if (referralIds.length === 0) return [];
  const rows = await db
    .selectFrom("dischargeLetter as letter")
    .leftJoin("storedFile as diagnosis", "diagnosis.id", "letter.diagnosisFileId")
    .leftJoin("outbox as sending", "sending.id", "letter.outboxId")
    .leftJoin("outbox as edi", "edi.id", "letter.ediOutboxId")
    .leftJoin("user as modifier", "modifier.id", "letter.modifierId")
    .selectAll("letter")
    .select([
      "diagnosis.fileName as diagnosisFileName",
      "diagnosis.createdAt as diagnosisCreatedAt",
      "modifier.firstName as modifierFirstName",
      "modifier.lastName as modifierLastName",
      "sending.notBefore as sendingNotBefore",
      "sending.sendingSince as sendingSince",
      "edi.attempts as ediAttempts",
      "edi.sendingSince as ediSendingSince",
      "edi.sentAt as ediSentAt",
    ])
    .select(sendingColumns)
    .select(ediColumns)
    .where("letter.referralId", "in", referralIds)
    .where("letter.deletedAt", "is", null)
    .orderBy("letter.referralId")
    .orderBy("letterNumber", "desc")
    .execute();
  return rows.map((row) => dischargeSending(row as typeof row & Sending & EdiSending));
}

export const noSuchLetter = () => new Refusal("notInScope", { text: "Udskrivningsbrevet findes ikke." });

export type LetterRow = Awaited<ReturnType<typeof findLetters>>[number];

export async function findLetter(
  db: DbOrTx,
  referralId: ScopedReferralId,
  letterNumber: number,
): Promise<LetterRow | undefined> {
  return (await findLetters(db, [referralId])).find((letter) => letter.letterNumber === letterNumber);
}

export const findDeletedLetter = (db: DbOrTx, referralId: ScopedReferralId, letterNumber: number) =>
  db
    .selectFrom("dischargeLetter")
    .selectAll()
    .where("referralId", "=", referralId)
    .where("letterNumber", "=", letterNumber)
    .where("deletedAt", "is not", null)
    .executeTakeFirst();

export async function findLetterOfMessage(db: DbOrTx, outboxId: number) {
  return db
    .selectFrom("dischargeLetter as letter")
    .leftJoin("storedFile as diagnosis", "diagnosis.id", "letter.diagnosisFileId")
    .selectAll("letter")
    .select("diagnosis.scanState as diagnosisScanState")
    .where((eb) => eb.or([eb("letter.outboxId", "=", outboxId), eb("letter.ediOutboxId", "=", outboxId)]))
    .executeTakeFirst();
}

export interface LetterImage {
  letterId: number;
  fileName: string;
  storageKey: string;
  sizeBytes: number;
  mime: string;
  scanState: string;
  storedFileId: number;
}

export async function findLetterImages(db: DbOrTx, letterIds: readonly number[]): Promise<LetterImage[]> {
  if (letterIds.length === 0) return [];
  const rows = await db
    .selectFrom("dischargeLetterImage as image")
    .innerJoin("storedFile", "storedFile.id", "image.storedFileId")
    .select([
      "image.dischargeLetterId",
      "storedFile.id as storedFileId",
      "storedFile.fileName",
      "storedFile.storageKey",
      "storedFile.sizeBytes",
      "storedFile.mime",
      "storedFile.scanState",
    ])
    .where("image.dischargeLetterId", "in", letterIds)
    .orderBy("image.id")
    .execute();
  return rows.map((row) => ({
    letterId: row.dischargeLetterId,
    fileName: row.fileName,
    storageKey: row.storageKey,
    sizeBytes: Number(row.sizeBytes),
    mime: row.mime,
    scanState: row.scanState,
    storedFileId: row.storedFileId,
  }));
}

/** CPR hashes named by DICOM files among some stored files. */
export async function findDicomOwners(db: DbOrTx, storedFileIds: readonly number[]) {
  if (storedFileIds.length === 0) return [];
  return db.selectFrom("storedFile").select(["fileName", "dicomCprHash"]).where("id", "in", storedFileIds).execute();
}

export async function nextLetterNumber(db: DbOrTx, referralId: ScopedReferralId): Promise<number> {
  const { last } = await db
    .selectFrom("dischargeLetter")
    .select((eb) => eb.fn.max("letterNumber").as("last"))
    .where("referralId", "=", referralId)
    .executeTakeFirstOrThrow();
  return Number(last ?? 0) + 1;
}

interface Modifier {
  personId: number;
  now: Date;
}

export async function insertLetter(
  tx: Tx,
  letter: { referralId: ScopedReferralId; letterNumber: number; surgeonEmail: string | null },
  { personId, now }: Modifier,
): Promise<void> {
  await tx
    .insertInto("dischargeLetter")
    .values({
      referralId: letter.referralId,
      letterNumber: letter.letterNumber,
      outboxId: null,
      ediOutboxId: null,
      diagnosisFileId: null,
      status: 0,
      errorMessage: null,
      sendDate: null,
      recipientEmail: null,
      surgeonEmail: letter.surgeonEmail,
      attempts: 0,
      isEdi: false,
      sendEdiAsEmail: true,
      createdAt: toMoment(now),
      deletedAt: null,
      modifierId: personId,
      modifiedAt: toMoment(now),
    })
    .execute();
}

export async function updateLetter(
  tx: Tx,
  id: number,
  change: Updateable<Database["dischargeLetter"]>,
  by: Modifier | null,
): Promise<void> {
  await tx
    .updateTable("dischargeLetter")
    .set({ ...change, modifierId: by?.personId, modifiedAt: by ? toMoment(by.now) : undefined })
    .where("id", "=", id)
    .execute();
}

export async function replaceImages(
  tx: Tx,
  letterId: number,
  storedFileIds: readonly number[],
  purge: { now: Date; days: number },
): Promise<void> {
  const former = await findLetterImages(tx, [letterId]);
  await tx.deleteFrom("dischargeLetterImage").where("dischargeLetterId", "=", letterId).execute();
  await purgeLater(
    tx,
    former.map(({ storedFileId }) => storedFileId),
    purge,
  );
  if (storedFileIds.length > 0)
    await tx
      .insertInto("dischargeLetterImage")
      .values(storedFileIds.map((id) => ({ dischargeLetterId: letterId, storedFileId: id })))
      .execute();
}

export async function purgeLater(
  tx: Tx,
  storedFileIds: readonly number[],
  { now, days }: { now: Date; days: number },
): Promise<void> {
  if (storedFileIds.length === 0) return;
  await tx
    .updateTable("storedFile")
    .set({ purgeAfter: toMoment(addDays(now, days)) })
    .where("id", "in", storedFileIds)
    .execute();
}

export async function cancelPurge(tx: Tx, storedFileIds: readonly number[]): Promise<void> {
  if (storedFileIds.length === 0) return;
  await tx.updateTable("storedFile").set({ purgeAfter: null }).where("id", "in", storedFileIds).execute();
}

export async function writeDeclined(tx: Tx, referralId: ScopedReferralId, isDeclined: boolean): Promise<void> {
  await tx.updateTable("referral").set({ declinesDischargeLetter: isDeclined }).where("id", "=", referralId).execute();
}

interface LatestSending {
  referralId: number;
  outboxId: number | null;
  ediOutboxId: number | null;
}

/** All messages of a letter, newest first; each names its predecessor, and a sending's mail its EDI message. */
export async function findSendings(db: DbOrTx, letter: LatestSending) {
  const rows = await db
    .selectFrom("outbox")
    .select(["id", "resendsId", "channel", "outcome", "createdAt", "sentAt", "handledAt"])
    .where("referralId", "=", letter.referralId)
    .where("kind", "=", "dischargeLetter")
    .execute();
  const byId = new Map(rows.map((row) => [row.id, { ...row, channel: row.channel as ChannelName }]));
  const chain = [];
  for (
    let row = byId.get(Math.max(letter.outboxId ?? 0, letter.ediOutboxId ?? 0));
    row;
    row = byId.get(row.resendsId ?? 0)
  )
    chain.push(row);
  return chain;
}

/** The letter of a message, also if it was resent since; undefined for none. */
export async function findSentLetter(db: DbOrTx, message: { id: number; referralId: number | null }) {
  if (message.referralId === null) return undefined;
  const letters = await db
    .selectFrom("dischargeLetter")
    .select([
      "id",
      "referralId",
      "letterNumber",
      "outboxId",
      "ediOutboxId",
      "sendEdiAsEmail",
      "diagnosisFileId",
      "attempts",
      "deletedAt",
    ])
    .where("referralId", "=", message.referralId)
    .execute();
  for (const letter of letters) if ((await findSendings(db, letter)).some(({ id }) => id === message.id)) return letter;
  return undefined;
}

export type SentLetter = NonNullable<Awaited<ReturnType<typeof findSentLetter>>>;

/** Sends a waiting message now instead of at its hour. False if sending has begun or it no longer waits. */
export async function bringForward(tx: Tx, outboxId: number, now: Date): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("outbox")
      .set({ notBefore: toMoment(now) })
      .where("id", "=", outboxId)
      .where("outcome", "=", "queued")
      .where("sendingSince", "is", null),
  );
}

export async function writeSendDate(tx: Tx, letterId: number, sentAt: string | null): Promise<void> {
  await tx.updateTable("dischargeLetter").set({ sendDate: sentAt }).where("id", "=", letterId).execute();
}

/** Updates the summary that the list of letters sorts by. Must run in the transaction that changed a letter. */
export async function refreshSummary(tx: Tx, referralId: number): Promise<void> {
  const { count, sent } = await tx
    .selectFrom("dischargeLetter")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("sendDate").as("sent")])
    .where("referralId", "=", referralId)
    .where("deletedAt", "is", null)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("referral")
    .set({ hasDischargeLetter: Number(count) > 0, dischargeSentAt: sent })
    .where("id", "=", referralId)
    .execute();
}
