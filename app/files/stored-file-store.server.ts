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
  const row = await tx.insertInto("storedFile").values(rowOf(file, now)).executeTakeFirstOrThrow();
  return Number(row.insertId);
}

export async function insertStoredFiles(
  tx: DbOrTx,
  files: readonly NewStoredFile[],
  now: Date,
): Promise<(NewStoredFile & { storedFileId: number })[]> {
  if (files.length === 0) return [];
  await tx
    .insertInto("storedFile")
    .values(files.map((file) => rowOf(file, now)))
    .execute();
  const rows = await tx
    .selectFrom("storedFile")
    .select(["id", "storageKey"])
    .where(
      "storageKey",
      "in",
      files.map(({ storageKey }) => storageKey),
    )
    .execute();
  const ids = new Map(rows.map(({ id, storageKey: key }) => [key, id]));
  return files.map((file) => ({ ...file, storedFileId: ids.get(file.storageKey)! }));
}

const rowOf = (file: NewStoredFile, now: Date) => ({
  storageKey: file.storageKey,
  fileName: file.fileName,
  mime: file.mime,
  sizeBytes: file.sizeBytes,
  sha256: file.sha256,
  scanState: file.scanState,
  dicomCprHash: file.dicomCprHash,
  dicomFactsEncrypted: file.dicomFactsEncrypted,
  dicomInstanceHash: file.dicomInstanceHash ?? null,
  dicomSeriesHash: file.dicomSeries?.hash ?? null,
  dicomSlice: file.dicomSeries?.slice ?? null,
  takenOn: file.takenOn && isExposureDay(file.takenOn, localDate(now)) ? file.takenOn : null,
  createdAt: toMoment(now),
  purgeAfter: null,
});

export async function findStoredFiles(db: DbOrTx, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("storedFile")
    .select([
      "id",
      "fileName as fileName",
      "mime",
      "sizeBytes as sizeBytes",
      "sha256",
      "storageKey as storageKey",
      // Infected files are never served.
      "scanState as scanState",
      "dicomCprHash as dicomCprHash",
      "dicomFactsEncrypted as dicomFactsEncrypted",
      "ownerConfirmedAt as ownerConfirmedAt",
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
    .updateTable("storedFile")
    .set({ ownerConfirmedAt: toMoment(now), ownerConfirmedBy: personId })
    .where("id", "=", id)
    .execute();
}

export async function forgetOwners(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable("storedFile")
    .set({ ownerConfirmedAt: null, ownerConfirmedBy: null })
    .where("id", "in", ids)
    .execute();
}

/** Expected SHA-256 of a key (hex); null for unknown keys. */
export async function findSha256(db: DbOrTx, storageKey: string): Promise<string | null> {
  const file = await db
    .selectFrom("storedFile")
    .select("sha256")
    .where("storageKey", "=", storageKey)
    .limit(1)
    .executeTakeFirst();
  return file?.sha256 ?? null;
}

/** Saves a typed day of exposure; null empties it. A day that the file says itself stays. */
export async function updateTakenOn(tx: Tx, storedFileIds: readonly number[], takenOn: string | null): Promise<void> {
  await tx
    .updateTable("storedFile")
    .set({ takenOn, takenOnIsTyped: takenOn !== null })
    .where("id", "in", storedFileIds)
    .where((eb) => eb.or([eb("takenOn", "is", null), eb("takenOnIsTyped", "=", true)]))
    .execute();
}

export async function renameStoredFile(tx: Tx, id: number, fileName: string): Promise<void> {
  await tx.updateTable("storedFile").set({ fileName }).where("id", "=", id).execute();
}

export async function discardStoredFiles(tx: Tx, storedFileIds: number[], now: Date): Promise<void> {
  if (storedFileIds.length === 0) return;
  await tx
    .updateTable("storedFile")
    .set({ purgeAfter: toMoment(now) })
    .where("id", "in", storedFileIds)
    .execute();
}
