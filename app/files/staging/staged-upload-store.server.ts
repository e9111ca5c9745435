import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { type Db, type DbOrTx, inTransaction, type Tx } from "~db/connection.server";
import { change } from "~/access/operation.server";
import type { FileKind } from "~/files/file-rules";
import type { FileStore } from "~/gateways/file-store/port";
import { toMoment } from "~/text/dates";

export const storedFile = z.object({
  storageKey: z.string(),
  fileName: z.string(),
  mime: z.string(),
  sizeBytes: z.number(),
  sha256: z.string(),
  scanState: z.enum(["notScanned", "clean", "infected"]),
  /** Look-up of the CPR number that a DICOM header names. */
  dicomCprHash: z.string().nullable(),
  dicomFactsEncrypted: z.string().nullable(),
  /** Of a slice (dicom-series.server.ts). */
  dicomSeries: z.object({ hash: z.string(), slice: z.number().nullable() }).nullish(),
});
export type StoredFile = z.output<typeof storedFile>;

/** Keeps uploaded files for the form they came with, until an operation claims them or 24 hours have passed. Answers `data.ids`. */
export const stageUploads = change({
  name: "stageUploads",
  permission: "upload.stage",
  input: z.object({
    formKey: z.string().max(64),
    files: z.array(
      storedFile.extend({
        field: z.string(),
        kind: z.enum([
          "radiograph",
          "journal",
          "approval",
          "attachment",
          "appointments",
          "bill",
          "letter",
          "logo",
          "directory",
        ]),
      }),
    ),
  }),
  async run({ tx, person, now }, { formKey, files }) {
    const ids: number[] = [];
    for (const { field, kind, ...file } of files) {
      const storedFileId = await insertStoredFile(tx, file, now);
      const staged = await tx
        .insertInto("staged_upload")
        .values({
          owner_id: person.id,
          form_key: formKey,
          field,
          kind,
          stored_file_id: storedFileId,
          created_at: toMoment(now),
        })
        .executeTakeFirstOrThrow();
      ids.push(Number(staged.insertId));
    }
    return { data: { ids } };
  },
});

export async function insertStoredFile(tx: DbOrTx, file: StoredFile, now: Date): Promise<number> {
  const row = await tx.insertInto("stored_file").values(rowOf(file, now)).executeTakeFirstOrThrow();
  return Number(row.insertId);
}

/** Many at once, in the order given. */
export async function insertStoredFiles(
  tx: DbOrTx,
  files: readonly StoredFile[],
  now: Date,
): Promise<(StoredFile & { storedFileId: number })[]> {
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

const rowOf = (file: StoredFile, now: Date) => ({
  storage_key: file.storageKey,
  file_name: file.fileName,
  mime: file.mime,
  size_bytes: file.sizeBytes,
  sha256: file.sha256,
  scan_state: file.scanState,
  dicom_cpr_hash: file.dicomCprHash,
  dicom_facts_encrypted: file.dicomFactsEncrypted,
  dicom_series_hash: file.dicomSeries?.hash ?? null,
  dicom_slice: file.dicomSeries?.slice ?? null,
  created_at: toMoment(now),
  purge_after: null,
});

export interface StagedFile {
  id: number;
  storedFileId: number;
  field: string;
  kind: FileKind;
  fileName: string;
  sizeBytes: number;
  sha256: string;
  /** Where it lies; of an upload in pieces also the upload's own name. */
  storageKey: string;
  /** 0 to 4, of an image that has a type of its own. */
  radiographType: number | null;
  /** Of a slice: its series, and its number there. */
  seriesHash: string | null;
  slice: number | null;
}

/** A person's files that wait under a form key: those that a failed form keeps, and those just uploaded. Each file once. */
export async function findStagedFiles(db: DbOrTx, ownerId: number, formKey: string): Promise<StagedFile[]> {
  return dedupe(await allStagedFiles(db, ownerId, formKey)).distinct;
}

/** What waits for a person's forms, together. */
export async function countStagedBytes(db: DbOrTx, ownerId: number): Promise<number> {
  const { bytes } = await db
    .selectFrom("staged_upload")
    .innerJoin("stored_file", "stored_file.id", "staged_upload.stored_file_id")
    .select((eb) => eb.fn.sum<number | null>("stored_file.size_bytes").as("bytes"))
    .where("staged_upload.owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

async function allStagedFiles(db: DbOrTx, ownerId: number, formKey: string): Promise<StagedFile[]> {
  const rows = await db
    .selectFrom("staged_upload")
    .innerJoin("stored_file", "stored_file.id", "staged_upload.stored_file_id")
    .select([
      "staged_upload.id",
      "staged_upload.stored_file_id",
      "staged_upload.field",
      "staged_upload.kind",
      "stored_file.file_name",
      "stored_file.size_bytes",
      "stored_file.sha256",
      "stored_file.storage_key",
      "staged_upload.radiograph_type",
      "stored_file.dicom_series_hash",
      "stored_file.dicom_slice",
    ])
    .where("staged_upload.owner_id", "=", ownerId)
    .where("staged_upload.form_key", "=", formKey)
    .orderBy("staged_upload.id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    storedFileId: row.stored_file_id,
    field: row.field,
    kind: row.kind as FileKind,
    fileName: row.file_name,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256,
    storageKey: row.storage_key,
    radiographType: row.radiograph_type,
    seriesHash: row.dicom_series_hash,
    slice: row.dicom_slice,
  }));
}

/** A corrected form sends its files again beside those that wait from the first try: the same name and bytes are one file. */
function dedupe(staged: StagedFile[]): { distinct: StagedFile[]; twins: StagedFile[] } {
  const seen = new Set<string>();
  const distinct: StagedFile[] = [];
  const twins: StagedFile[] = [];
  for (const file of staged) {
    const what = JSON.stringify([file.field, file.sha256, file.fileName]);
    (seen.has(what) ? twins : distinct).push(file);
    seen.add(what);
  }
  return { distinct, twins };
}

/** Takes the waiting files of a form out of holding, each once; from here on the caller's transaction owns them. */
export async function claimStagedFiles(
  tx: Tx,
  ownerId: number,
  formKey: string,
  now: Date,
  only?: readonly number[],
): Promise<StagedFile[]> {
  const staged = (await allStagedFiles(tx, ownerId, formKey)).filter(
    ({ id }) => only === undefined || only.includes(id),
  );
  if (staged.length === 0) return [];
  await tx
    .deleteFrom("staged_upload")
    .where(
      "id",
      "in",
      staged.map(({ id }) => id),
    )
    .execute();
  const { distinct, twins } = dedupe(staged);
  await discardStoredFiles(
    tx,
    twins.map(({ storedFileId }) => storedFileId),
    now,
  );
  return distinct;
}

/** The whole of a small waiting file that is to be read rather than kept, such as a CSV. */
export async function readStagedFile(db: DbOrTx, files: FileStore, { storedFileId }: StagedFile): Promise<Buffer> {
  const { storage_key: key } = await db
    .selectFrom("stored_file")
    .select("storage_key")
    .where("id", "=", storedFileId)
    .executeTakeFirstOrThrow();
  return buffer(await files.openRead(key));
}

/** Leaves stored files that nothing points at to the next purge. */
export async function discardStoredFiles(tx: Tx, storedFileIds: number[], now: Date): Promise<void> {
  if (storedFileIds.length === 0) return;
  await tx
    .updateTable("stored_file")
    .set({ purge_after: toMoment(now) })
    .where("id", "in", storedFileIds)
    .execute();
}

/** Leaves what no form claimed before `olderThan` to the next purge; from here on nobody can claim it. */
export async function discardUnclaimedUploads(db: Db, olderThan: string, now: Date): Promise<void> {
  const due = await db
    .selectFrom("staged_upload")
    .select(["id", "stored_file_id"])
    .where("created_at", "<", olderThan)
    .limit(200)
    .execute();
  for (const { id, stored_file_id: storedFileId } of due) {
    await inTransaction(db, async (tx) => {
      const removed = await tx.deleteFrom("staged_upload").where("id", "=", id).executeTakeFirst();
      if (removed.numDeletedRows > 0n) await discardStoredFiles(tx, [storedFileId], now);
    });
  }
}
