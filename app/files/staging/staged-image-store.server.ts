import type { DbOrTx, Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import { type StagedFile } from "./staged-upload-store.server";
import { discardStoredFiles, updateTakenOn } from "../stored-file-store.server";

export async function stageImages(
  tx: Tx,
  { ownerId, formKey }: { ownerId: number; formKey: string },
  images: readonly { storedFileId: number; radiographType: number }[],
  now: Date,
): Promise<void> {
  if (images.length === 0) return;
  await tx
    .insertInto("staged_upload")
    .values(
      images.map(({ storedFileId, radiographType }) => ({
        owner_id: ownerId,
        form_key: formKey,
        field: "radiographs",
        kind: "radiograph",
        stored_file_id: storedFileId,
        created_at: toMoment(now),
        radiograph_type: radiographType,
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
    .selectFrom("staged_upload")
    .innerJoin("stored_file", "stored_file.id", "staged_upload.stored_file_id")
    .select(["staged_upload.form_key as formKey", "stored_file.file_name as fileName"])
    .where("staged_upload.owner_id", "=", ownerId)
    .where("stored_file.storage_key", "=", storageKey)
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
    .updateTable("staged_upload")
    .set({ radiograph_type: radiographType })
    .where("owner_id", "=", ownerId)
    .where("stored_file_id", "in", tx.selectFrom("stored_file").select("id").where("storage_key", "=", uploadId))
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
    .selectFrom("staged_upload")
    .innerJoin("stored_file", "stored_file.id", "staged_upload.stored_file_id")
    .select("stored_file.id")
    .where("staged_upload.owner_id", "=", ownerId)
    .where("stored_file.storage_key", "=", uploadId)
    .execute();
  if (rows.length > 0)
    await updateTakenOn(
      tx,
      rows.map(({ id }) => id),
      takenOn,
    );
}

export async function updateStagedTypes(tx: Tx, ids: readonly number[], radiographType: number): Promise<void> {
  if (ids.length > 0)
    await tx.updateTable("staged_upload").set({ radiograph_type: radiographType }).where("id", "in", ids).execute();
}

export async function discardStagedImages(tx: Tx, images: readonly StagedFile[], now: Date): Promise<void> {
  if (images.length === 0) return;
  const ids = images.map(({ id }) => id);
  await tx.deleteFrom("staged_upload").where("id", "in", ids).execute();
  await discardStoredFiles(
    tx,
    images.map(({ storedFileId }) => storedFileId),
    now,
  );
}
