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
    .insertInto("partialUpload")
    .values({
      id,
      ownerId: upload.ownerId,
      referralId: upload.referralId ?? NO_REFERRAL,
      formKey: upload.formKey,
      awaitedAt: upload.awaitedSince && toMoment(upload.awaitedSince),
      radiographType: upload.radiographType,
      fileName: upload.fileName,
      sizeBytes: upload.sizeBytes,
      lastModified: upload.lastModified,
      state: "arriving",
      refusal: null,
      referralFileId: null,
      materialLineId: upload.materialLineId,
      createdAt: toMoment(now),
      archiveId: null,
    })
    .execute();
  return id;
}

export async function findPartial(db: DbOrTx, ownerId: number, id: string): Promise<PartialUpload | null> {
  const row = await db
    .selectFrom("partialUpload")
    .selectAll()
    .where("id", "=", id)
    .where("ownerId", "=", ownerId)
    .executeTakeFirst();
  return row ? toPartial(row) : null;
}

export async function findPartialSize(db: DbOrTx, id: string): Promise<number | null> {
  const row = await db.selectFrom("partialUpload").select("sizeBytes").where("id", "=", id).executeTakeFirst();
  return row ? Number(row.sizeBytes) : null;
}

export async function findAnyPartial(db: DbOrTx, id: string): Promise<PartialUpload | null> {
  const row = await db.selectFrom("partialUpload").selectAll().where("id", "=", id).executeTakeFirst();
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
  const own = db.selectFrom("partialUpload").selectAll().where("ownerId", "=", ownerId);
  const rows = await (
    "referralId" in of ? own.where("referralId", "=", of.referralId) : own.where("formKey", "=", of.formKey)
  )
    .orderBy("createdAt")
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
    .selectFrom("partialUpload")
    .select((eb) => ["referralId", eb.fn.countAll<number>().as("files")])
    .where("ownerId", "=", ownerId)
    .where("state", "=", "arriving")
    .where("referralId", "in", referralIds)
    .groupBy("referralId")
    .execute();
  return new Map(rows.map(({ referralId: id, files }) => [id, Number(files)]));
}

export async function countUnfinished(db: DbOrTx, ownerId: number): Promise<{ uploads: number; bytes: number }> {
  const { uploads, bytes } = await db
    .selectFrom("partialUpload")
    .select((eb) => [eb.fn.countAll<number>().as("uploads"), eb.fn.sum<number | null>("sizeBytes").as("bytes")])
    .where("ownerId", "=", ownerId)
    .where("state", "=", "arriving")
    .executeTakeFirstOrThrow();
  return { uploads: Number(uploads), bytes: Number(bytes ?? 0) };
}

/** Ends an upload once; false if another transaction has. `recordOutcome` tells how. */
export async function claimPartial(tx: Tx, id: string): Promise<boolean> {
  return changesAny(
    tx.updateTable("partialUpload").set({ state: "kept" }).where("id", "=", id).where("state", "=", "arriving"),
  );
}

export async function recordOutcome(
  tx: Tx,
  { id, state, refusal, referralFileId }: Pick<PartialUpload, "id" | "state" | "refusal" | "referralFileId">,
): Promise<void> {
  await tx
    .updateTable("partialUpload")
    .set({ state, refusal: refusal?.slice(0, 500) ?? null, referralFileId })
    .where("id", "=", id)
    .execute();
}

export async function updatePartialTypes(tx: Tx, ids: readonly string[], radiographType: number): Promise<void> {
  if (ids.length > 0) await tx.updateTable("partialUpload").set({ radiographType }).where("id", "in", ids).execute();
}

/** Cancels uploads. Their parts stay until `removePartial` or maintenance. */
export async function cancelUnfinished(tx: Tx, uploads: readonly { id: string }[]): Promise<void> {
  if (uploads.length > 0)
    await tx.deleteFrom("partialUpload").where("id", "in", idsOf(uploads)).where("state", "=", "arriving").execute();
}

function toPartial(row: Selectable<Database["partialUpload"]>) {
  return {
    id: row.id,
    ownerId: row.ownerId,
    referralId: row.referralId === NO_REFERRAL ? null : row.referralId,
    formKey: row.formKey,
    isAwaited: row.awaitedAt !== null,
    materialLineId: row.materialLineId,
    radiographType: row.radiographType,
    fileName: row.fileName,
    sizeBytes: Number(row.sizeBytes),
    lastModified: Number(row.lastModified),
    state: row.state as "arriving" | "kept" | "refused",
    refusal: row.refusal,
    referralFileId: row.referralFileId,
    archiveId: row.archiveId,
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
    .insertInto("partialUpload")
    .values(
      files.map((file) => ({
        id: file.storageKey ?? randomBytes(16).toString("hex"),
        ownerId: archive.ownerId,
        referralId: archive.referralId ?? NO_REFERRAL,
        formKey: archive.formKey,
        awaitedAt: null,
        radiographType: file.radiographType,
        fileName: file.fileName,
        sizeBytes: file.sizeBytes,
        lastModified: 0,
        state: file.refusal === null ? "kept" : "refused",
        refusal: file.refusal?.slice(0, 500) ?? null,
        referralFileId: file.referralFileId,
        createdAt: toMoment(now),
        archiveId: archive.id,
      })),
    )
    .execute();
}
