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
    .selectFrom("discharge_letter as letter")
    .leftJoin("stored_file as diagnosis", "diagnosis.id", "letter.diagnosis_file_id")
    .leftJoin("outbox as sending", "sending.id", "letter.outbox_id")
    .leftJoin("outbox as edi", "edi.id", "letter.edi_outbox_id")
    .leftJoin("user as modifier", "modifier.id", "letter.modifier_id")
    .selectAll("letter")
    .select([
      "diagnosis.file_name as diagnosis_file_name",
      "diagnosis.created_at as diagnosis_created_at",
      "modifier.first_name as modifier_first_name",
      "modifier.last_name as modifier_last_name",
      "sending.not_before as sending_not_before",
      "sending.sending_since as sending_since",
      "edi.attempts as edi_attempts",
      "edi.sending_since as edi_sending_since",
      "edi.sent_at as edi_sent_at",
    ])
    .select(sendingColumns)
    .select(ediColumns)
    .where("letter.referral_id", "in", referralIds)
    .where("letter.deleted_at", "is", null)
    .orderBy("letter.referral_id")
    .orderBy("letter_number", "desc")
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
  return (await findLetters(db, [referralId])).find((letter) => letter.letter_number === letterNumber);
}

export const findDeletedLetter = (db: DbOrTx, referralId: ScopedReferralId, letterNumber: number) =>
  db
    .selectFrom("discharge_letter")
    .selectAll()
    .where("referral_id", "=", referralId)
    .where("letter_number", "=", letterNumber)
    .where("deleted_at", "is not", null)
    .executeTakeFirst();

export async function findLetterOfMessage(db: DbOrTx, outboxId: number) {
  return db
    .selectFrom("discharge_letter as letter")
    .leftJoin("stored_file as diagnosis", "diagnosis.id", "letter.diagnosis_file_id")
    .selectAll("letter")
    .select("diagnosis.scan_state as diagnosis_scan_state")
    .where((eb) => eb.or([eb("letter.outbox_id", "=", outboxId), eb("letter.edi_outbox_id", "=", outboxId)]))
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
    .selectFrom("discharge_letter_image as image")
    .innerJoin("stored_file", "stored_file.id", "image.stored_file_id")
    .select([
      "image.discharge_letter_id",
      "stored_file.id as stored_file_id",
      "stored_file.file_name",
      "stored_file.storage_key",
      "stored_file.size_bytes",
      "stored_file.mime",
      "stored_file.scan_state",
    ])
    .where("image.discharge_letter_id", "in", letterIds)
    .orderBy("image.id")
    .execute();
  return rows.map((row) => ({
    letterId: row.discharge_letter_id,
    fileName: row.file_name,
    storageKey: row.storage_key,
    sizeBytes: Number(row.size_bytes),
    mime: row.mime,
    scanState: row.scan_state,
    storedFileId: row.stored_file_id,
  }));
}

/** CPR hashes named by DICOM files among some stored files. */
export async function findDicomOwners(db: DbOrTx, storedFileIds: readonly number[]) {
  if (storedFileIds.length === 0) return [];
  return db
    .selectFrom("stored_file")
    .select(["file_name", "dicom_cpr_hash"])
    .where("id", "in", storedFileIds)
    .execute();
}

export async function nextLetterNumber(db: DbOrTx, referralId: ScopedReferralId): Promise<number> {
  const { last } = await db
    .selectFrom("discharge_letter")
    .select((eb) => eb.fn.max("letter_number").as("last"))
    .where("referral_id", "=", referralId)
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
    .insertInto("discharge_letter")
    .values({
      referral_id: letter.referralId,
      letter_number: letter.letterNumber,
      outbox_id: null,
      edi_outbox_id: null,
      diagnosis_file_id: null,
      status: 0,
      error_message: null,
      send_date: null,
      recipient_email: null,
      surgeon_email: letter.surgeonEmail,
      attempts: 0,
      is_edi: 0,
      send_edi_as_email: 1,
      created_at: toMoment(now),
      deleted_at: null,
      modifier_id: personId,
      modified_at: toMoment(now),
    })
    .execute();
}

export async function updateLetter(
  tx: Tx,
  id: number,
  change: Updateable<Database["discharge_letter"]>,
  by: Modifier | null,
): Promise<void> {
  await tx
    .updateTable("discharge_letter")
    .set({ ...change, modifier_id: by?.personId, modified_at: by ? toMoment(by.now) : undefined })
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
  await tx.deleteFrom("discharge_letter_image").where("discharge_letter_id", "=", letterId).execute();
  await purgeLater(
    tx,
    former.map(({ storedFileId }) => storedFileId),
    purge,
  );
  if (storedFileIds.length > 0)
    await tx
      .insertInto("discharge_letter_image")
      .values(storedFileIds.map((id) => ({ discharge_letter_id: letterId, stored_file_id: id })))
      .execute();
}

export async function purgeLater(
  tx: Tx,
  storedFileIds: readonly number[],
  { now, days }: { now: Date; days: number },
): Promise<void> {
  if (storedFileIds.length === 0) return;
  await tx
    .updateTable("stored_file")
    .set({ purge_after: toMoment(addDays(now, days)) })
    .where("id", "in", storedFileIds)
    .execute();
}

export async function cancelPurge(tx: Tx, storedFileIds: readonly number[]): Promise<void> {
  if (storedFileIds.length === 0) return;
  await tx.updateTable("stored_file").set({ purge_after: null }).where("id", "in", storedFileIds).execute();
}

export async function writeDeclined(tx: Tx, referralId: ScopedReferralId, isDeclined: boolean): Promise<void> {
  await tx
    .updateTable("referral")
    .set({ declines_discharge_letter: isDeclined ? 1 : 0 })
    .where("id", "=", referralId)
    .execute();
}

interface LatestSending {
  referral_id: number;
  outbox_id: number | null;
  edi_outbox_id: number | null;
}

/** All messages of a letter, newest first; each names its predecessor, and a sending's mail its EDI message. */
export async function findSendings(db: DbOrTx, letter: LatestSending) {
  const rows = await db
    .selectFrom("outbox")
    .select(["id", "resends_id", "channel", "outcome", "created_at", "sent_at", "handled_at"])
    .where("referral_id", "=", letter.referral_id)
    .where("kind", "=", "dischargeLetter")
    .execute();
  const byId = new Map(rows.map((row) => [row.id, { ...row, channel: row.channel as ChannelName }]));
  const chain = [];
  for (
    let row = byId.get(Math.max(letter.outbox_id ?? 0, letter.edi_outbox_id ?? 0));
    row;
    row = byId.get(row.resends_id ?? 0)
  )
    chain.push(row);
  return chain;
}

/** The letter of a message, also if it was resent since; undefined for none. */
export async function findSentLetter(db: DbOrTx, message: { id: number; referralId: number | null }) {
  if (message.referralId === null) return undefined;
  const letters = await db
    .selectFrom("discharge_letter")
    .select([
      "id",
      "referral_id",
      "letter_number",
      "outbox_id",
      "edi_outbox_id",
      "send_edi_as_email",
      "diagnosis_file_id",
      "attempts",
      "deleted_at",
    ])
    .where("referral_id", "=", message.referralId)
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
      .set({ not_before: toMoment(now) })
      .where("id", "=", outboxId)
      .where("outcome", "=", "queued")
      .where("sending_since", "is", null),
  );
}

export async function writeSendDate(tx: Tx, letterId: number, sentAt: string | null): Promise<void> {
  await tx.updateTable("discharge_letter").set({ send_date: sentAt }).where("id", "=", letterId).execute();
}

/** Updates the summary that the list of letters sorts by. Must run in the transaction that changed a letter. */
export async function refreshSummary(tx: Tx, referralId: number): Promise<void> {
  const { count, sent } = await tx
    .selectFrom("discharge_letter")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("send_date").as("sent")])
    .where("referral_id", "=", referralId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("referral")
    .set({ has_discharge_letter: Number(count) > 0 ? 1 : 0, discharge_sent_at: sent })
    .where("id", "=", referralId)
    .execute();
}
