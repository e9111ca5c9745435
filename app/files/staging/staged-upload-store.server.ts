import { z } from "zod";
import { type Db, type DbOrTx, inTransaction, type Tx, changesAny, idsOf } from "~db/connection.server";
import type { FormFiles } from "~/access/idempotency-store.server";
import { change, wholeNumber, keyedForm } from "~/access/operation.server";
import { type FileKind, fileKinds } from "~/files/file-rules";
import type { FileStore } from "~/gateways/file-store/port";
import { discardStoredFiles, insertStoredFile, newStoredFile, updateTakenOn } from "~/files/stored-file-store.server";
import { toMoment } from "~/text/dates";

/** Stages uploaded files for their form until claimed or 24 hours have passed. Returns `data.ids`. */
export const stageUploads = change({
  name: "stageUploads",
  permission: "upload.stage",
  input: keyedForm.extend({
    files: z.array(
      newStoredFile.extend({
        field: z.string(),
        kind: z.enum(Object.keys(fileKinds) as FileKind[]),
      }),
    ),
  }),
  async run({ tx, person, now }, { formKey, files }) {
    const ids: number[] = [];
    for (const { field, kind, ...file } of files) {
      const storedFileId = await insertStoredFile(tx, file, now);
      const staged = await tx
        .insertInto("stagedUpload")
        .values({
          ownerId: person.id,
          formKey,
          field,
          kind,
          storedFileId,
          createdAt: toMoment(now),
        })
        .executeTakeFirstOrThrow();
      ids.push(Number(staged.insertId));
    }
    return { data: { ids } };
  },
});

/** Removes a staged file from a form, with its duplicates; no error if gone. Returns `data.removed`. */
export const removeStagedUpload = change({
  name: "removeStagedUpload",
  permission: "upload.stage",
  input: keyedForm.extend({ stagedId: wholeNumber }),
  async run({ tx, person, now }, { stagedId, formKey }) {
    const staged = await allStagedFiles(tx, person.id, formKey);
    const named = staged.find(({ id }) => id === stagedId);
    const gone = named ? staged.filter((file) => whatItIs(file) === whatItIs(named)) : [];
    await discardStaged(tx, gone, now);
    return { data: { removed: gone.length } };
  },
});

export async function findStagedFiles(
  db: DbOrTx,
  ownerId: number,
  formKey: string,
  field?: string,
): Promise<StagedFile[]> {
  return dedupe(await allStagedFiles(db, ownerId, formKey, field === undefined ? undefined : [field])).distinct;
}

export async function countStagedBytes(db: DbOrTx, ownerId: number): Promise<number> {
  const { bytes } = await db
    .selectFrom("stagedUpload")
    .innerJoin("storedFile", "storedFile.id", "stagedUpload.storedFileId")
    .select((eb) => eb.fn.sum<number | null>("storedFile.sizeBytes").as("bytes"))
    .where("stagedUpload.ownerId", "=", ownerId)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

async function allStagedFiles(db: DbOrTx, ownerId: number, formKey: string, fields?: readonly string[]) {
  const rows = await db
    .selectFrom("stagedUpload")
    .innerJoin("storedFile", "storedFile.id", "stagedUpload.storedFileId")
    .select([
      "stagedUpload.id",
      "stagedUpload.storedFileId as storedFileId",
      "stagedUpload.field",
      "stagedUpload.kind",
      "storedFile.fileName as fileName",
      "storedFile.sizeBytes as sizeBytes",
      "storedFile.sha256",
      "storedFile.storageKey as storageKey",
      "stagedUpload.radiographType as radiographType",
      "storedFile.dicomSeriesHash as seriesHash",
      "storedFile.dicomSlice as slice",
      "storedFile.takenOn as takenOn",
      "storedFile.takenOnIsTyped",
    ])
    .where("stagedUpload.ownerId", "=", ownerId)
    .where("stagedUpload.formKey", "=", formKey)
    .$if(fields !== undefined, (query) => query.where("stagedUpload.field", "in", fields!))
    .orderBy("stagedUpload.id")
    .execute();
  return rows.map(({ takenOnIsTyped, ...row }) => ({
    ...row,
    kind: row.kind as FileKind,
    sizeBytes: Number(row.sizeBytes),
    saysTakenOn: row.takenOn !== null && !takenOnIsTyped,
  }));
}

export type StagedFile = Awaited<ReturnType<typeof allStagedFiles>>[number];

const whatItIs = (file: StagedFile) => JSON.stringify([file.field, file.sha256, file.fileName]);

/** A corrected form sends its files again; equal names and bytes are one file. */
function dedupe(staged: StagedFile[]): { distinct: StagedFile[]; duplicates: StagedFile[] } {
  const seen = new Set<string>();
  const distinct: StagedFile[] = [];
  const duplicates: StagedFile[] = [];
  for (const file of staged) {
    const what = whatItIs(file);
    (seen.has(what) ? duplicates : distinct).push(file);
    seen.add(what);
  }
  return { distinct, duplicates };
}

/**
 * Claims staged files of these fields (or `only` some) for the caller's transaction. A field is always named, because
 * two forms of a page may share a key.
 */
export async function claimStagedFiles(
  tx: Tx,
  { ownerId, formKey, fields }: FormFiles,
  now: Date,
  only?: readonly number[],
): Promise<StagedFile[]> {
  const staged = (await allStagedFiles(tx, ownerId, formKey, fields)).filter(
    ({ id }) => only === undefined || only.includes(id),
  );
  if (staged.length === 0) return [];
  await unstage(tx, staged);
  const { distinct, duplicates } = dedupe(staged);
  await discardStoredFiles(
    tx,
    duplicates.map(({ storedFileId }) => storedFileId),
    now,
  );
  return distinct;
}

export const claimAndDiscard = async (tx: Tx, { ownerId, formKey, fields }: FormFiles, now: Date): Promise<void> =>
  discardStaged(tx, await allStagedFiles(tx, ownerId, formKey, fields), now);

const unstage = (tx: Tx, staged: readonly StagedFile[]) =>
  tx.deleteFrom("stagedUpload").where("id", "in", idsOf(staged)).execute();

export async function withStagedFile<T>(
  db: DbOrTx,
  files: FileStore,
  { storedFileId }: StagedFile,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const { storageKey: key } = await db
    .selectFrom("storedFile")
    .select("storageKey")
    .where("id", "=", storedFileId)
    .executeTakeFirstOrThrow();
  return files.withLocalCopy(key, work);
}

/** Marks uploads unclaimed since `olderThan` for purging. */
export async function discardUnclaimedUploads(db: Db, olderThan: string, now: Date): Promise<void> {
  const due = await db
    .selectFrom("stagedUpload")
    .select(["id", "storedFileId"])
    .where("createdAt", "<", olderThan)
    .limit(200)
    .execute();
  for (const { id, storedFileId } of due) {
    await inTransaction(db, async (tx) => {
      if (await changesAny(tx.deleteFrom("stagedUpload").where("id", "=", id)))
        await discardStoredFiles(tx, [storedFileId], now);
    });
  }
}

export async function stageImages(
  tx: Tx,
  { ownerId, formKey }: { ownerId: number; formKey: string },
  images: readonly { storedFileId: number; radiographType: number }[],
  now: Date,
): Promise<void> {
  if (images.length === 0) return;
  await tx
    .insertInto("stagedUpload")
    .values(
      images.map(({ storedFileId, radiographType }) => ({
        ownerId,
        formKey,
        field: "radiographs",
        kind: "radiograph",
        storedFileId,
        createdAt: toMoment(now),
        radiographType,
      })),
    )
    .execute();
}

export async function findStagedImage(
  db: DbOrTx,
  ownerId: number,
  storageKey: string,
): Promise<{ formKey: string; fileName: string } | null> {
  const row = await db
    .selectFrom("stagedUpload")
    .innerJoin("storedFile", "storedFile.id", "stagedUpload.storedFileId")
    .select(["stagedUpload.formKey as formKey", "storedFile.fileName as fileName"])
    .where("stagedUpload.ownerId", "=", ownerId)
    .where("storedFile.storageKey", "=", storageKey)
    .executeTakeFirst();
  return row ?? null;
}

export async function updateStagedType(
  tx: Tx,
  ownerId: number,
  uploadId: string,
  radiographType: number,
): Promise<void> {
  await tx
    .updateTable("stagedUpload")
    .set({ radiographType })
    .where("ownerId", "=", ownerId)
    .where("storedFileId", "in", tx.selectFrom("storedFile").select("id").where("storageKey", "=", uploadId))
    .execute();
}

/** Saves a typed day of exposure of one's own staged image, unless the file says it itself. */
export async function updateStagedTakenOn(
  tx: Tx,
  ownerId: number,
  uploadId: string,
  takenOn: string | null,
): Promise<void> {
  const rows = await tx
    .selectFrom("stagedUpload")
    .innerJoin("storedFile", "storedFile.id", "stagedUpload.storedFileId")
    .select("storedFile.id")
    .where("stagedUpload.ownerId", "=", ownerId)
    .where("storedFile.storageKey", "=", uploadId)
    .execute();
  if (rows.length > 0) await updateTakenOn(tx, idsOf(rows), takenOn);
}

export async function updateStagedTypes(tx: Tx, ids: readonly number[], radiographType: number): Promise<void> {
  if (ids.length > 0) await tx.updateTable("stagedUpload").set({ radiographType }).where("id", "in", ids).execute();
}

export async function discardStaged(tx: Tx, staged: readonly StagedFile[], now: Date): Promise<void> {
  if (staged.length === 0) return;
  await unstage(tx, staged);
  await discardStoredFiles(
    tx,
    staged.map(({ storedFileId }) => storedFileId),
    now,
  );
}
