import { addDays } from "date-fns";
import type { DbOrTx, Tx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { referralScope, type ScopedReferralId } from "~/access/scope.server";
import type { FileKind } from "~/files/file-rules";
import type { StagedFile } from "~/files/staging/staged-upload-store.server";
import { toMoment } from "~/text/dates";

export interface ReferralFile {
  id: number;
  kind: FileKind;
  radiographType: number | null;
  fileName: string;
  mime: string;
  sizeBytes: number;
  sha256: string;
  storageKey: string;
  scanState: string;
  dicomCprHash: string | null;
  dicomFactsEncrypted: string | null;
  storedFileId: number;
  ownerConfirmedAt: string | null;
  seriesHash: string | null;
  slice: number | null;
  /** Day of the exposure, `YYYY-MM-DD`; null if unknown. */
  takenOn: string | null;
  /** Whether the file says that day itself; others can be typed. */
  saysTakenOn: boolean;
  uploadedAt: string;
  uploaderId: number | null;
  messageId: number | null;
  materialLineId: number | null;
}

export async function findFiles(db: DbOrTx, referralId: ScopedReferralId): Promise<ReferralFile[]> {
  const rows = await fileQuery(db)
    .where("referral_file.referral_id", "=", referralId)
    .orderBy("referral_file.id")
    .execute();
  return rows.map(toFile);
}

export async function findFileNames(
  db: DbOrTx,
  referralIds: readonly number[],
): Promise<{ referralId: number; fileName: string }[]> {
  if (referralIds.length === 0) return [];
  return fileQuery(db)
    .clearSelect()
    .select(["referral_file.referral_id as referralId", "stored_file.file_name as fileName"])
    .where("referral_file.referral_id", "in", referralIds)
    .execute();
}

/** The actor's sent referrals that have an image with one of these contents, other than the referral itself. */
export async function findSameImages(
  db: DbOrTx,
  actor: Actor,
  referralId: ScopedReferralId,
  contents: readonly string[],
): Promise<{ sha256: string; referralId: number; patientId: number | null }[]> {
  if (contents.length === 0) return [];
  return db
    .selectFrom("stored_file")
    .innerJoin("referral_file", "referral_file.stored_file_id", "stored_file.id")
    .innerJoin("referral", "referral.id", "referral_file.referral_id")
    .select(["stored_file.sha256", "referral.id as referralId", "referral.patient_id as patientId"])
    .where("stored_file.sha256", "in", contents)
    .where("referral_file.kind", "=", "radiograph")
    .where("referral_file.deleted_at", "is", null)
    .where("referral.id", "<>", referralId)
    .where(referralScope(actor, { offersIndex: false }))
    .distinct()
    .orderBy("referral.id", "desc")
    .limit(MAX_SAME)
    .execute();
}

/** The newest of them: one picture of a whole series of templates would name hundreds. */
const MAX_SAME = 100;

/** A file of this referral; null if it belongs to another. */
export async function findFile(db: DbOrTx, referralId: ScopedReferralId, fileId: number): Promise<ReferralFile | null> {
  const row = await fileQuery(db)
    .where("referral_file.referral_id", "=", referralId)
    .where("referral_file.id", "=", fileId)
    .executeTakeFirst();
  return row ? toFile(row) : null;
}

export async function findLetterImageIds(db: DbOrTx, referralId: ScopedReferralId): Promise<number[]> {
  const rows = await db
    .selectFrom("discharge_letter_image as image")
    .innerJoin("discharge_letter as letter", "letter.id", "image.discharge_letter_id")
    .select("image.stored_file_id")
    .where("letter.referral_id", "=", referralId)
    .where("letter.deleted_at", "is", null)
    .execute();
  return rows.map((row) => row.stored_file_id);
}

function fileQuery(db: DbOrTx) {
  return db
    .selectFrom("referral_file")
    .innerJoin("stored_file", "stored_file.id", "referral_file.stored_file_id")
    .select([
      "referral_file.id",
      "referral_file.kind",
      "referral_file.radiograph_type",
      "referral_file.uploaded_at",
      "referral_file.uploader_id",
      "referral_file.message_id",
      "referral_file.material_line_id",
      "stored_file.file_name",
      "stored_file.mime",
      "stored_file.size_bytes",
      "stored_file.sha256",
      "stored_file.storage_key",
      "stored_file.scan_state",
      "stored_file.dicom_cpr_hash",
      "stored_file.dicom_facts_encrypted",
      "stored_file.id as stored_file_id",
      "stored_file.owner_confirmed_at",
      "stored_file.dicom_series_hash",
      "stored_file.dicom_slice",
      "stored_file.taken_on",
      "stored_file.taken_on_is_typed",
    ])
    .where("referral_file.deleted_at", "is", null);
}

type FileRow = Awaited<ReturnType<ReturnType<typeof fileQuery>["executeTakeFirstOrThrow"]>>;

function toFile(row: FileRow): ReferralFile {
  return {
    id: row.id,
    kind: row.kind as FileKind,
    radiographType: row.radiograph_type,
    fileName: row.file_name,
    mime: row.mime,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256,
    storageKey: row.storage_key,
    scanState: row.scan_state,
    dicomCprHash: row.dicom_cpr_hash,
    dicomFactsEncrypted: row.dicom_facts_encrypted,
    storedFileId: row.stored_file_id,
    ownerConfirmedAt: row.owner_confirmed_at,
    seriesHash: row.dicom_series_hash,
    slice: row.dicom_slice,
    takenOn: row.taken_on,
    saysTakenOn: row.taken_on !== null && row.taken_on_is_typed === 0,
    uploadedAt: row.uploaded_at,
    uploaderId: row.uploader_id,
    messageId: row.message_id,
    materialLineId: row.material_line_id,
  };
}

export async function attachFiles(
  tx: Tx,
  referralId: ScopedReferralId,
  files: readonly (Pick<StagedFile, "storedFileId" | "kind"> & {
    radiographType: number | null;
    messageId?: number;
    materialLineId?: number | null;
  })[],
  uploaderId: number | null,
  now: Date,
): Promise<void> {
  if (files.length === 0) return;
  await tx
    .insertInto("referral_file")
    .values(
      files.map(({ storedFileId, kind, radiographType, messageId, materialLineId }) => ({
        referral_id: referralId,
        kind,
        radiograph_type: radiographType,
        stored_file_id: storedFileId,
        uploaded_at: toMoment(now),
        uploader_id: uploaderId,
        deleted_at: null,
        message_id: messageId ?? null,
        material_line_id: materialLineId ?? null,
      })),
    )
    .execute();
}

export async function hideFiles(
  tx: Tx,
  referralId: ScopedReferralId,
  fileIds: number[],
  now: Date,
  purgeAfterDays: number,
): Promise<number> {
  if (fileIds.length === 0) return 0;
  const hidden = await tx
    .updateTable("referral_file")
    .set({ deleted_at: toMoment(now) })
    .where("referral_id", "=", referralId)
    .where("id", "in", fileIds)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const purgeAfter = toMoment(addDays(now, purgeAfterDays));
  await tx
    .updateTable("stored_file")
    .set({ purge_after: purgeAfter })
    .where("id", "in", tx.selectFrom("referral_file").select("stored_file_id").where("id", "in", fileIds))
    .execute();
  return Number(hidden.numUpdatedRows);
}

export async function isHidden(tx: Tx, referralId: ScopedReferralId, fileId: number): Promise<boolean> {
  const hidden = await tx
    .selectFrom("referral_file")
    .select("id")
    .where("id", "=", fileId)
    .where("referral_id", "=", referralId)
    .where("deleted_at", "is not", null)
    .executeTakeFirst();
  return hidden !== undefined;
}

interface HiddenFile {
  id: number;
  kind: FileKind;
  fileName: string;
  deletedAt: string;
  purgeAfter: string;
  seriesHash: string | null;
  slice: number | null;
  isThereAgain: boolean;
}

export async function findHiddenFiles(db: DbOrTx, referralId: ScopedReferralId, now: Date): Promise<HiddenFile[]> {
  const rows = await db
    .selectFrom("referral_file")
    .innerJoin("stored_file", "stored_file.id", "referral_file.stored_file_id")
    .select([
      "referral_file.id",
      "referral_file.kind",
      "referral_file.deleted_at",
      "stored_file.file_name",
      "stored_file.sha256",
      "stored_file.purge_after",
      "stored_file.dicom_series_hash",
      "stored_file.dicom_slice",
    ])
    .where("referral_file.referral_id", "=", referralId)
    .where("referral_file.deleted_at", "is not", null)
    .where("stored_file.purge_after", ">", toMoment(now))
    .orderBy("referral_file.deleted_at", "desc")
    .orderBy("referral_file.id", "desc")
    .execute();
  if (rows.length === 0) return [];
  const shown = new Set((await findFiles(db, referralId)).map(({ kind, sha256 }) => `${kind} ${sha256}`));
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as FileKind,
    fileName: row.file_name,
    deletedAt: row.deleted_at ?? "",
    purgeAfter: row.purge_after ?? "",
    seriesHash: row.dicom_series_hash,
    slice: row.dicom_slice,
    isThereAgain: shown.has(`${row.kind} ${row.sha256}`),
  }));
}

/** Restores hidden files that are not due for purging; returns whether any was. */
export async function unhideFiles(
  tx: Tx,
  referralId: ScopedReferralId,
  fileIds: readonly number[],
  now: Date,
): Promise<boolean> {
  const shown = await tx
    .updateTable("referral_file")
    .set({ deleted_at: null })
    .where("id", "in", fileIds)
    .where("referral_id", "=", referralId)
    .where("deleted_at", "is not", null)
    .where("stored_file_id", "in", tx.selectFrom("stored_file").select("id").where("purge_after", ">", toMoment(now)))
    .executeTakeFirst();
  if (shown.numUpdatedRows === 0n) return false;
  await tx
    .updateTable("stored_file")
    .set({ purge_after: null })
    .where("id", "in", tx.selectFrom("referral_file").select("stored_file_id").where("id", "in", fileIds))
    .execute();
  return true;
}

/** Serialises transactions that add images to a referral; changes nothing. */
export async function lockRadiographs(tx: Tx, referralId: ScopedReferralId): Promise<void> {
  await tx
    .updateTable("referral")
    .set((eb) => ({ has_radiographs: eb.ref("has_radiographs") }))
    .where("id", "=", referralId)
    .execute();
}

export async function updateRadiographType(tx: Tx, fileId: number, radiographType: number): Promise<void> {
  await tx.updateTable("referral_file").set({ radiograph_type: radiographType }).where("id", "=", fileId).execute();
}

export async function updateRadiographTypes(tx: Tx, fileIds: readonly number[], radiographType: number): Promise<void> {
  await tx.updateTable("referral_file").set({ radiograph_type: radiographType }).where("id", "in", fileIds).execute();
}

export async function updateRadiographsSendType(tx: Tx, referralId: ScopedReferralId, type: number): Promise<void> {
  await tx.updateTable("referral").set({ radiographs_send_type: type }).where("id", "=", referralId).execute();
}

export async function refreshRadiographMark(tx: Tx, referralId: ScopedReferralId): Promise<void> {
  const one = await tx
    .selectFrom("referral_file")
    .select("id")
    .where("referral_id", "=", referralId)
    .where("kind", "=", "radiograph")
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  await tx
    .updateTable("referral")
    .set({ has_radiographs: one ? 1 : 0 })
    .where("id", "=", referralId)
    .execute();
}
