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
  insertUnlessThere(db, "partial_upload_part", {
    upload_id: uploadId,
    start_byte: part.start,
    size_bytes: part.size,
    storage_key: part.storageKey,
    sha256: part.sha256,
    created_at: toMoment(now),
  });

export async function findParts(db: DbOrTx, uploadId: string): Promise<UploadPart[]> {
  const rows = await db
    .selectFrom("partial_upload_part")
    .select(["start_byte", "size_bytes", "storage_key", "sha256"])
    .where("upload_id", "=", uploadId)
    .orderBy("start_byte")
    .execute();
  return rows.map((row) => ({
    start: Number(row.start_byte),
    size: Number(row.size_bytes),
    storageKey: row.storage_key,
    sha256: row.sha256,
  }));
}

/** Received bytes by upload; parts are contiguous. */
export async function countReceived(db: DbOrTx, uploadIds: readonly string[]): Promise<Map<string, number>> {
  if (uploadIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("partial_upload_part")
    .select((eb) => ["upload_id", eb.fn.sum<number>("size_bytes").as("bytes")])
    .where("upload_id", "in", uploadIds)
    .groupBy("upload_id")
    .execute();
  return new Map(rows.map(({ upload_id: id, bytes }) => [id, Number(bytes)]));
}

export async function receivedBytes(db: DbOrTx, uploadId: string): Promise<number> {
  return (await countReceived(db, [uploadId])).get(uploadId) ?? 0;
}

async function deletePart(db: Db, uploadId: string, start: number): Promise<void> {
  await db
    .deleteFrom("partial_upload_part")
    .where("upload_id", "=", uploadId)
    .where("start_byte", "=", start)
    .execute();
}

export async function findPartSha256(db: DbOrTx, storageKey: string): Promise<string | null> {
  const part = await db
    .selectFrom("partial_upload_part")
    .select("sha256")
    .where("storage_key", "=", storageKey)
    .executeTakeFirst();
  return part?.sha256 ?? null;
}

async function findEndedWithParts(db: DbOrTx, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("partial_upload_part as part")
    .leftJoin("partial_upload as upload", "upload.id", "part.upload_id")
    .select("part.upload_id")
    .where((eb) => eb.or([eb("upload.id", "is", null), eb("upload.state", "!=", "arriving")]))
    .groupBy("part.upload_id")
    .limit(limit)
    .execute();
  return rows.map(({ upload_id: id }) => id);
}

interface UploadPlace {
  db: Db;
  files: FileStore;
}

/** Removes an upload's parts once its outcome is committed, and the assembled file if no row refers to it. */
export async function removePartial({ db, files }: UploadPlace, id: string): Promise<void> {
  const row = await db.selectFrom("partial_upload").select("state").where("id", "=", id).executeTakeFirst();
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
    .selectFrom("partial_upload")
    .select("id")
    .where("created_at", "<", before)
    .where("state", "=", "arriving")
    .where("awaited_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("partial_upload_part as part")
            .select("part.upload_id")
            .whereRef("part.upload_id", "=", "partial_upload.id")
            .where("part.created_at", ">=", before),
        ),
      ),
    )
    .limit(BATCH_SIZE)
    .execute();
  for (const { id } of silent) {
    await db.deleteFrom("partial_upload").where("id", "=", id).where("state", "=", "arriving").execute();
    await removePartial(place, id);
  }
  for (const id of await findEndedWithParts(db, BATCH_SIZE)) await removePartial(place, id);
  const ended = await db
    .selectFrom("partial_upload")
    .select("id")
    .where("created_at", "<", before)
    .where("state", "!=", "arriving")
    .where((eb) =>
      eb.or([
        eb("awaited_at", "is", null),
        eb("refusal", "is", null),
        eb("created_at", "<", toMoment(subDays(olderThan, LOST_KNOWN_DAYS))),
      ]),
    )
    .limit(BATCH_SIZE)
    .execute();
  if (ended.length > 0) await db.deleteFrom("partial_upload").where("id", "in", idsOf(ended)).execute();
}
