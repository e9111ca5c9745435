import { subDays } from "date-fns";
import { type Db, type DbOrTx, insertUnlessThere, idsOf } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { FileStore } from "~/gateways/file-store/port";

interface UploadPart {
  start: number;
  size: number;
  storageKey: string;
  sha256: string;
}

/** Records a part; false if another process continued from the same byte. */
export const insertPart = (db: Db, uploadId: string, part: UploadPart, now: Date): Promise<boolean> =>
  insertUnlessThere(db, "partialUploadPart", {
    uploadId,
    startByte: part.start,
    sizeBytes: part.size,
    storageKey: part.storageKey,
    sha256: part.sha256,
    createdAt: toMoment(now),
  });

export async function findParts(db: DbOrTx, uploadId: string): Promise<UploadPart[]> {
  const rows = await db
    .selectFrom("partialUploadPart")
    .select(["startByte", "sizeBytes", "storageKey", "sha256"])
    .where("uploadId", "=", uploadId)
    .orderBy("startByte")
    .execute();
  return rows.map((row) => ({
    start: Number(row.startByte),
    size: Number(row.sizeBytes),
    storageKey: row.storageKey,
    sha256: row.sha256,
  }));
}

/** Received bytes by upload; parts are contiguous. */
export async function countReceived(db: DbOrTx, uploadIds: readonly string[]): Promise<Map<string, number>> {
  if (uploadIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("partialUploadPart")
    .select((eb) => ["uploadId", eb.fn.sum<number>("sizeBytes").as("bytes")])
    .where("uploadId", "in", uploadIds)
    .groupBy("uploadId")
    .execute();
  return new Map(rows.map(({ uploadId: id, bytes }) => [id, Number(bytes)]));
}

export async function receivedBytes(db: DbOrTx, uploadId: string): Promise<number> {
  return (await countReceived(db, [uploadId])).get(uploadId) ?? 0;
}

async function deletePart(db: Db, uploadId: string, start: number): Promise<void> {
  await db.deleteFrom("partialUploadPart").where("uploadId", "=", uploadId).where("startByte", "=", start).execute();
}

export async function findPartSha256(db: DbOrTx, storageKey: string): Promise<string | null> {
  const part = await db
    .selectFrom("partialUploadPart")
    .select("sha256")
    .where("storageKey", "=", storageKey)
    .executeTakeFirst();
  return part?.sha256 ?? null;
}

async function findEndedWithParts(db: DbOrTx, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("partialUploadPart as part")
    .leftJoin("partialUpload as upload", "upload.id", "part.uploadId")
    .select("part.uploadId")
    .where((eb) => eb.or([eb("upload.id", "is", null), eb("upload.state", "!=", "arriving")]))
    .groupBy("part.uploadId")
    .limit(limit)
    .execute();
  return rows.map(({ uploadId: id }) => id);
}

interface UploadPlace {
  db: Db;
  files: FileStore;
}

/** Removes an upload's parts once its outcome is committed, and the assembled file if no row refers to it. */
export async function removePartial({ db, files }: UploadPlace, id: string): Promise<void> {
  const row = await db.selectFrom("partialUpload").select("state").where("id", "=", id).executeTakeFirst();
  if (row?.state === "arriving") return;
  if (row?.state !== "kept") await files.remove(id);
  for (const { start, storageKey } of await findParts(db, id)) {
    await files.remove(storageKey);
    await deletePart(db, id, start);
  }
}

const BATCH_SIZE = 500;

const LOST_KNOWN_DAYS = 30;

/**
 * Removes abandoned uploads, leftover parts, and old records. The age counts from the last part, since 1 GB on a slow
 * connection may take days. Awaited ones stay; missing or refused ones are known for LOST_KNOWN_DAYS.
 */
export async function removeAbandonedUploads(place: UploadPlace, olderThan: Date): Promise<void> {
  const { db } = place;
  const before = toMoment(olderThan);
  const silent = await db
    .selectFrom("partialUpload")
    .select("id")
    .where("createdAt", "<", before)
    .where("state", "=", "arriving")
    .where("awaitedAt", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("partialUploadPart as part")
            .select("part.uploadId")
            .whereRef("part.uploadId", "=", "partialUpload.id")
            .where("part.createdAt", ">=", before),
        ),
      ),
    )
    .limit(BATCH_SIZE)
    .execute();
  for (const { id } of silent) {
    await db.deleteFrom("partialUpload").where("id", "=", id).where("state", "=", "arriving").execute();
    await removePartial(place, id);
  }
  for (const id of await findEndedWithParts(db, BATCH_SIZE)) await removePartial(place, id);
  const ended = await db
    .selectFrom("partialUpload")
    .select("id")
    .where("createdAt", "<", before)
    .where("state", "!=", "arriving")
    .where((eb) =>
      eb.or([
        eb("awaitedAt", "is", null),
        eb("refusal", "is", null),
        eb("createdAt", "<", toMoment(subDays(olderThan, LOST_KNOWN_DAYS))),
      ]),
    )
    .limit(BATCH_SIZE)
    .execute();
  if (ended.length > 0) await db.deleteFrom("partialUpload").where("id", "in", idsOf(ended)).execute();
}
