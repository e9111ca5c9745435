import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import { type DbOrTx, type Tx, changesAny, idsOf } from "~db/connection.server";
import type { Database } from "~db/schema";
import type { ScopedReferralId } from "~/access/scope.server";
import { toMoment } from "~/text/dates";

/** Limits of a person's unfinished uploads, so that nobody can fill the disk. */
export const unfinishedLimits = { uploads: 40, bytes: 10 * 1024 ** 3 };

/** Referral id of uploads without one; no referral has it. */
const NO_REFERRAL = 0;

export async function insertPartial(
  tx: Tx,
  upload: Pick<PartialUpload, "ownerId" | "formKey" | "radiographType" | "fileName" | "sizeBytes" | "lastModified"> & {
    referralId: ScopedReferralId | null;
    awaitedSince: Date | null;
    materialLineId: number | null;
  },
  now: Date,
): Promise<string> {
  const id = randomBytes(16).toString("hex");
  await tx
    .insertInto("partial_upload")
    .values({
      id,
      owner_id: upload.ownerId,
      referral_id: upload.referralId ?? NO_REFERRAL,
      form_key: upload.formKey,
      awaited_at: upload.awaitedSince && toMoment(upload.awaitedSince),
      radiograph_type: upload.radiographType,
      file_name: upload.fileName,
      size_bytes: upload.sizeBytes,
      last_modified: upload.lastModified,
      state: "arriving",
      refusal: null,
      referral_file_id: null,
      material_line_id: upload.materialLineId,
      created_at: toMoment(now),
      archive_id: null,
    })
    .execute();
  return id;
}

export async function findPartial(db: DbOrTx, ownerId: number, id: string): Promise<PartialUpload | null> {
  const row = await db
    .selectFrom("partial_upload")
    .selectAll()
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return row ? toPartial(row) : null;
}

export async function findPartialSize(db: DbOrTx, id: string): Promise<number | null> {
  const row = await db.selectFrom("partial_upload").select("size_bytes").where("id", "=", id).executeTakeFirst();
  return row ? Number(row.size_bytes) : null;
}

export async function findAnyPartial(db: DbOrTx, id: string): Promise<PartialUpload | null> {
  const row = await db.selectFrom("partial_upload").selectAll().where("id", "=", id).executeTakeFirst();
  return row ? toPartial(row) : null;
}

export async function findUnfinished(
  db: DbOrTx,
  ownerId: number,
  referralId: ScopedReferralId,
): Promise<PartialUpload[]> {
  return (await findOwnUploads(db, ownerId, { referralId })).filter(({ state }) => state === "arriving");
}

/** A person's uploads to a referral or unsaved form, oldest first; ended ones are known for a day. */
export async function findOwnUploads(
  db: DbOrTx,
  ownerId: number,
  of: { referralId: ScopedReferralId } | { formKey: string },
): Promise<PartialUpload[]> {
  const own = db.selectFrom("partial_upload").selectAll().where("owner_id", "=", ownerId);
  const rows = await (
    "referralId" in of ? own.where("referral_id", "=", of.referralId) : own.where("form_key", "=", of.formKey)
  )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toPartial);
}

export async function countUnfinishedOf(
  db: DbOrTx,
  ownerId: number,
  referralIds: readonly number[],
): Promise<Map<number, number>> {
  if (referralIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("partial_upload")
    .select((eb) => ["referral_id", eb.fn.countAll<number>().as("files")])
    .where("owner_id", "=", ownerId)
    .where("state", "=", "arriving")
    .where("referral_id", "in", referralIds)
    .groupBy("referral_id")
    .execute();
  return new Map(rows.map(({ referral_id: id, files }) => [id, Number(files)]));
}

export async function countUnfinished(db: DbOrTx, ownerId: number): Promise<{ uploads: number; bytes: number }> {
  const { uploads, bytes } = await db
    .selectFrom("partial_upload")
    .select((eb) => [eb.fn.countAll<number>().as("uploads"), eb.fn.sum<number | null>("size_bytes").as("bytes")])
    .where("owner_id", "=", ownerId)
    .where("state", "=", "arriving")
    .executeTakeFirstOrThrow();
  return { uploads: Number(uploads), bytes: Number(bytes ?? 0) };
}

/** Ends an upload once; false if another transaction has. `recordOutcome` tells how. */
export async function claimPartial(tx: Tx, id: string): Promise<boolean> {
  return changesAny(
    tx.updateTable("partial_upload").set({ state: "kept" }).where("id", "=", id).where("state", "=", "arriving"),
  );
}

export async function recordOutcome(
  tx: Tx,
  { id, state, refusal, referralFileId }: Pick<PartialUpload, "id" | "state" | "refusal" | "referralFileId">,
): Promise<void> {
  await tx
    .updateTable("partial_upload")
    .set({ state, refusal: refusal?.slice(0, 500) ?? null, referral_file_id: referralFileId })
    .where("id", "=", id)
    .execute();
}

export async function updatePartialTypes(tx: Tx, ids: readonly string[], radiographType: number): Promise<void> {
  if (ids.length > 0)
    await tx.updateTable("partial_upload").set({ radiograph_type: radiographType }).where("id", "in", ids).execute();
}

/** Cancels uploads. Their parts stay until `removePartial` or maintenance. */
export async function cancelUnfinished(tx: Tx, uploads: readonly { id: string }[]): Promise<void> {
  if (uploads.length > 0)
    await tx.deleteFrom("partial_upload").where("id", "in", idsOf(uploads)).where("state", "=", "arriving").execute();
}

function toPartial(row: Selectable<Database["partial_upload"]>) {
  return {
    id: row.id,
    ownerId: row.owner_id,
    referralId: row.referral_id === NO_REFERRAL ? null : row.referral_id,
    formKey: row.form_key,
    isAwaited: row.awaited_at !== null,
    materialLineId: row.material_line_id,
    radiographType: row.radiograph_type,
    fileName: row.file_name,
    sizeBytes: Number(row.size_bytes),
    lastModified: Number(row.last_modified),
    state: row.state as "arriving" | "kept" | "refused",
    refusal: row.refusal,
    referralFileId: row.referral_file_id,
    archiveId: row.archive_id,
  };
}

export type PartialUpload = ReturnType<typeof toPartial>;

type UnpackedFile = Pick<PartialUpload, "radiographType" | "fileName" | "sizeBytes" | "refusal" | "referralFileId"> & {
  storageKey: string | null;
};

/** Stores each file of a ZIP as a finished upload, which its owner can retype or remove. */
export async function insertUnpacked(
  tx: Tx,
  archive: PartialUpload,
  files: readonly UnpackedFile[],
  now: Date,
): Promise<void> {
  if (files.length === 0) return;
  await tx
    .insertInto("partial_upload")
    .values(
      files.map((file) => ({
        id: file.storageKey ?? randomBytes(16).toString("hex"),
        owner_id: archive.ownerId,
        referral_id: archive.referralId ?? NO_REFERRAL,
        form_key: archive.formKey,
        awaited_at: null,
        radiograph_type: file.radiographType,
        file_name: file.fileName,
        size_bytes: file.sizeBytes,
        last_modified: 0,
        state: file.refusal === null ? "kept" : "refused",
        refusal: file.refusal?.slice(0, 500) ?? null,
        referral_file_id: file.referralFileId,
        created_at: toMoment(now),
        archive_id: archive.id,
      })),
    )
    .execute();
}
