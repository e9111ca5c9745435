import type { DbOrTx, Tx } from "~db/connection.server";
import type { FileKind } from "~/features/images/file-rules";
import type { HeldFile } from "~/features/images/held-uploads.server";
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
  uploadedAt: string;
  /** The message that brought it. */
  messageId: number | null;
}

/** The files of a referral that are there, oldest first. */
export async function findFiles(db: DbOrTx, referralId: number): Promise<ReferralFile[]> {
  const rows = await fileQuery(db).where("referral_file.referral_id", "=", referralId).orderBy("referral_file.id").execute();
  return rows.map(toFile);
}

/** One file of a referral, or null: also when it belongs to another referral. */
export async function findFile(db: DbOrTx, referralId: number, fileId: number): Promise<ReferralFile | null> {
  const row = await fileQuery(db).where("referral_file.referral_id", "=", referralId).where("referral_file.id", "=", fileId).executeTakeFirst();
  return row ? toFile(row) : null;
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
      "referral_file.message_id",
      "stored_file.file_name",
      "stored_file.mime",
      "stored_file.size_bytes",
      "stored_file.sha256",
      "stored_file.storage_key",
      "stored_file.scan_state",
      "stored_file.dicom_cpr_hash",
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
    uploadedAt: row.uploaded_at,
    messageId: row.message_id,
  };
}

/** Hangs claimed uploads on a referral. */
export async function attachFiles(
  tx: Tx,
  referralId: number,
  files: readonly (Pick<HeldFile, "storedFileId" | "kind"> & { radiographType: number | null; messageId?: number })[],
  uploaderId: number | null,
  now: Date,
): Promise<void> {
  if (files.length === 0) return;
  await tx
    .insertInto("referral_file")
    .values(
      files.map(({ storedFileId, kind, radiographType, messageId }) => ({
        referral_id: referralId,
        kind,
        radiograph_type: radiographType,
        stored_file_id: storedFileId,
        uploaded_at: toMoment(now),
        uploader_id: uploaderId,
        deleted_at: null,
        message_id: messageId ?? null,
      })),
    )
    .execute();
}

/** Hides files at once; their bytes are purged later (design/decisions.md, Files). Answers how many there were. */
export async function hideFiles(tx: Tx, referralId: number, fileIds: number[], now: Date, purgeAfterDays: number): Promise<number> {
  if (fileIds.length === 0) return 0;
  const hidden = await tx
    .updateTable("referral_file")
    .set({ deleted_at: toMoment(now) })
    .where("referral_id", "=", referralId)
    .where("id", "in", fileIds)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const purgeAfter = toMoment(new Date(now.getTime() + purgeAfterDays * 86_400_000));
  await tx
    .updateTable("stored_file")
    .set({ purge_after: purgeAfter })
    .where("id", "in", tx.selectFrom("referral_file").select("stored_file_id").where("id", "in", fileIds))
    .execute();
  return Number(hidden.numUpdatedRows);
}

/** Whether a file of the referral has been hidden; false also where there is none. */
export async function isHidden(tx: Tx, referralId: number, fileId: number): Promise<boolean> {
  const hidden = await tx.selectFrom("referral_file").select("id").where("id", "=", fileId).where("referral_id", "=", referralId).where("deleted_at", "is not", null).executeTakeFirst();
  return hidden !== undefined;
}

/** Shows a hidden file again, unless its bytes are gone. Answers whether there was one. */
export async function unhideFile(tx: Tx, referralId: number, fileId: number, kind: FileKind): Promise<boolean> {
  const shown = await tx
    .updateTable("referral_file")
    .set({ deleted_at: null })
    .where("id", "=", fileId)
    .where("referral_id", "=", referralId)
    .where("kind", "=", kind)
    .where("deleted_at", "is not", null)
    .executeTakeFirst();
  if (shown.numUpdatedRows === 0n) return false;
  await tx
    .updateTable("stored_file")
    .set({ purge_after: null })
    .where("id", "in", tx.selectFrom("referral_file").select("stored_file_id").where("id", "=", fileId))
    .execute();
  return true;
}

/** Keeps the referral's own mark, which the overview reads, in step with its files. */
export async function refreshRadiographMark(tx: Tx, referralId: number): Promise<void> {
  const one = await tx
    .selectFrom("referral_file")
    .select("id")
    .where("referral_id", "=", referralId)
    .where("kind", "=", "radiograph")
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  await tx.updateTable("referral").set({ has_radiographs: one ? 1 : 0 }).where("id", "=", referralId).execute();
}
