import { addDays } from "date-fns";
import type { NotNull } from "kysely";
import { changesAny, type DbOrTx, rowCount, type Tx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { Refusal } from "~/access/refusal";
import { referralScope, type ScopedReferralId } from "~/access/scope.server";
import { type FileKind, MAX_RADIOGRAPHS } from "~/files/file-rules";
import type { StagedFile } from "~/files/staging/staged-upload-store.server";
import { toMoment } from "~/text/dates";

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
      "referral_file.radiograph_type as radiographType",
      "referral_file.uploaded_at as uploadedAt",
      "referral_file.uploader_id as uploaderId",
      "referral_file.message_id as messageId",
      "referral_file.material_line_id as materialLineId",
      "stored_file.id as storedFileId",
      "stored_file.file_name as fileName",
      "stored_file.mime",
      "stored_file.size_bytes as sizeBytes",
      "stored_file.sha256",
      "stored_file.storage_key as storageKey",
      "stored_file.scan_state as scanState",
      "stored_file.dicom_cpr_hash as dicomCprHash",
      "stored_file.dicom_facts_encrypted as dicomFactsEncrypted",
      "stored_file.owner_confirmed_at as ownerConfirmedAt",
      "stored_file.dicom_series_hash as seriesHash",
      "stored_file.dicom_slice as slice",
      // Day of the exposure, `YYYY-MM-DD`; null if unknown.
      "stored_file.taken_on as takenOn",
      "stored_file.taken_on_is_typed as takenOnIsTyped",
    ])
    .where("referral_file.deleted_at", "is", null);
}

const toFile = ({
  takenOnIsTyped,
  ...row
}: Awaited<ReturnType<ReturnType<typeof fileQuery>["executeTakeFirstOrThrow"]>>) => ({
  ...row,
  kind: row.kind as FileKind,
  sizeBytes: Number(row.sizeBytes),
  /** Whether the file says the day of exposure itself; others can be typed. */
  saysTakenOn: row.takenOn !== null && takenOnIsTyped === 0,
});

export type ReferralFile = ReturnType<typeof toFile>;

/** Files of a referral that are no radiographs: every page of it reads them all. */
const MAX_OTHER_FILES = 300;

async function refuseTooMany(
  tx: Tx,
  referralId: ScopedReferralId,
  files: readonly { kind: FileKind }[],
): Promise<void> {
  const added = files.filter(({ kind }) => kind !== "radiograph").length;
  if (added === 0) return;
  const others = tx
    .selectFrom("referral_file")
    .where("referral_id", "=", referralId)
    .where("kind", "<>", "radiograph")
    .where("deleted_at", "is", null);
  if ((await rowCount(others)) + added > MAX_OTHER_FILES)
    throw new Refusal("fileRefused", {
      text: `Henvisningen kan højst have ${MAX_OTHER_FILES} filer ud over røntgenbilleder. Saml dem i færre filer.`,
    });
}

/** Attaches stored files. Throws `fileRefused` beyond the limit of files that are no radiographs. */
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
  await refuseTooMany(tx, referralId, files);
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

/** The newest deleted files that can be restored; a whole series fits. */
export async function findHiddenFiles(db: DbOrTx, referralId: ScopedReferralId, now: Date) {
  const rows = await db
    .selectFrom("referral_file")
    .innerJoin("stored_file", "stored_file.id", "referral_file.stored_file_id")
    .select([
      "referral_file.id",
      "referral_file.kind",
      "stored_file.file_name as fileName",
      "stored_file.sha256",
      "stored_file.dicom_series_hash as seriesHash",
      "stored_file.dicom_slice as slice",
      "referral_file.deleted_at as deletedAt",
      "stored_file.purge_after as purgeAfter",
    ])
    .$narrowType<{ deletedAt: NotNull; purgeAfter: NotNull }>()
    .where("referral_file.referral_id", "=", referralId)
    .where("referral_file.deleted_at", "is not", null)
    .where("stored_file.purge_after", ">", toMoment(now))
    .orderBy("referral_file.deleted_at", "desc")
    .orderBy("referral_file.id", "desc")
    .limit(MAX_RADIOGRAPHS)
    .execute();
  if (rows.length === 0) return [];
  const shown = new Set((await findFiles(db, referralId)).map(({ kind, sha256 }) => `${kind} ${sha256}`));
  return rows.map(({ sha256, ...row }) => ({
    ...row,
    kind: row.kind as FileKind,
    isThereAgain: shown.has(`${row.kind} ${sha256}`),
  }));
}

/** Restores hidden files that are not due for purging; returns whether any was. */
export async function unhideFiles(
  tx: Tx,
  referralId: ScopedReferralId,
  fileIds: readonly number[],
  now: Date,
): Promise<boolean> {
  const isAnyShown = await changesAny(
    tx
      .updateTable("referral_file")
      .set({ deleted_at: null })
      .where("id", "in", fileIds)
      .where("referral_id", "=", referralId)
      .where("deleted_at", "is not", null)
      .where(
        "stored_file_id",
        "in",
        tx.selectFrom("stored_file").select("id").where("purge_after", ">", toMoment(now)),
      ),
  );
  if (!isAnyShown) return false;
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
