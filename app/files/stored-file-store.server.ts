import { z } from "zod";
import type { DbOrTx, Tx } from "~db/connection.server";
import { scanGaps } from "~/gateways/virus-scanner/port";
import { isExposureDay } from "./exposure-day.server";
import { localDate, toMoment } from "~/text/dates";

export const newStoredFile = z.object({
  storageKey: z.string(),
  fileName: z.string(),
  mime: z.string(),
  sizeBytes: z.number(),
  sha256: z.string(),
  scanState: z.enum(["notScanned", "clean", "infected", ...scanGaps]),
  dicomCprHash: z.string().nullable(),
  dicomFactsEncrypted: z.string().nullable(),
  dicomInstanceHash: z.string().nullish(),
  takenOn: z.iso.date().nullish(),
  dicomSeries: z.object({ hash: z.string(), slice: z.number().nullable() }).nullish(),
});
export type NewStoredFile = z.output<typeof newStoredFile>;

export async function insertStoredFile(tx: DbOrTx, file: NewStoredFile, now: Date): Promise<number> {
  const row = await tx.insertInto("stored_file").values(rowOf(file, now)).executeTakeFirstOrThrow();
  return Number(row.insertId);
}

export async function insertStoredFiles(
  tx: DbOrTx,
  files: readonly NewStoredFile[],
  now: Date,
): Promise<(NewStoredFile & { storedFileId: number })[]> {
  if (files.length === 0) return [];
  await tx
    .insertInto("stored_file")
    .values(files.map((file) => rowOf(file, now)))
    .execute();
  const rows = await tx
    .selectFrom("stored_file")
    .select(["id", "storage_key"])
    .where(
      "storage_key",
      "in",
      files.map(({ storageKey }) => storageKey),
    )
    .execute();
  const ids = new Map(rows.map(({ id, storage_key: key }) => [key, id]));
  return files.map((file) => ({ ...file, storedFileId: ids.get(file.storageKey)! }));
}

const rowOf = (file: NewStoredFile, now: Date) => ({
  storage_key: file.storageKey,
  file_name: file.fileName,
  mime: file.mime,
  size_bytes: file.sizeBytes,
  sha256: file.sha256,
  scan_state: file.scanState,
  dicom_cpr_hash: file.dicomCprHash,
  dicom_facts_encrypted: file.dicomFactsEncrypted,
  dicom_instance_hash: file.dicomInstanceHash ?? null,
  dicom_series_hash: file.dicomSeries?.hash ?? null,
  dicom_slice: file.dicomSeries?.slice ?? null,
  taken_on: file.takenOn && isExposureDay(file.takenOn, localDate(now)) ? file.takenOn : null,
  created_at: toMoment(now),
  purge_after: null,
});

export async function findStoredFiles(db: DbOrTx, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("stored_file")
    .select([
      "id",
      "file_name as fileName",
      "mime",
      "size_bytes as sizeBytes",
      "sha256",
      "storage_key as storageKey",
      // Infected files are never served.
      "scan_state as scanState",
      "dicom_cpr_hash as dicomCprHash",
      "dicom_facts_encrypted as dicomFactsEncrypted",
      "owner_confirmed_at as ownerConfirmedAt",
    ])
    .where("id", "in", ids)
    .execute();
  const found = new Map(rows.map((row) => [row.id, { ...row, sizeBytes: Number(row.sizeBytes) }]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export type StoredFile = Awaited<ReturnType<typeof findStoredFiles>>[number];

/** Records who confirmed that a file is the patient's although it names another. */
export async function confirmOwner(tx: Tx, id: number, personId: number, now: Date): Promise<void> {
  await tx
    .updateTable("stored_file")
    .set({ owner_confirmed_at: toMoment(now), owner_confirmed_by: personId })
    .where("id", "=", id)
    .execute();
}

export async function forgetOwners(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable("stored_file")
    .set({ owner_confirmed_at: null, owner_confirmed_by: null })
    .where("id", "in", ids)
    .execute();
}

/** Expected SHA-256 of a key (hex); null for unknown keys. */
export async function findSha256(db: DbOrTx, storageKey: string): Promise<string | null> {
  const file = await db
    .selectFrom("stored_file")
    .select("sha256")
    .where("storage_key", "=", storageKey)
    .limit(1)
    .executeTakeFirst();
  return file?.sha256 ?? null;
}

/** Saves a typed day of exposure; null empties it. A day that the file says itself stays. */
export async function updateTakenOn(tx: Tx, storedFileIds: readonly number[], takenOn: string | null): Promise<void> {
  await tx
    .updateTable("stored_file")
    .set({ taken_on: takenOn, taken_on_is_typed: takenOn === null ? 0 : 1 })
    .where("id", "in", storedFileIds)
    .where((eb) => eb.or([eb("taken_on", "is", null), eb("taken_on_is_typed", "=", 1)]))
    .execute();
}

export async function renameStoredFile(tx: Tx, id: number, fileName: string): Promise<void> {
  await tx.updateTable("stored_file").set({ file_name: fileName }).where("id", "=", id).execute();
}

export async function discardStoredFiles(tx: Tx, storedFileIds: number[], now: Date): Promise<void> {
  if (storedFileIds.length === 0) return;
  await tx
    .updateTable("stored_file")
    .set({ purge_after: toMoment(now) })
    .where("id", "in", storedFileIds)
    .execute();
}
