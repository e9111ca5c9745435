import { type Db, type DbOrTx, isDuplicate } from "~db/connection.server";
import { toMoment } from "~/text/dates";

export interface UploadPart {
  start: number;
  size: number;
  storageKey: string;
  sha256: string;
}

/** Records a part; false if another process continued from the same byte. */
export async function insertPart(db: Db, uploadId: string, part: UploadPart, now: Date): Promise<boolean> {
  try {
    await db
      .insertInto("partial_upload_part")
      .values({
        upload_id: uploadId,
        start_byte: part.start,
        size_bytes: part.size,
        storage_key: part.storageKey,
        sha256: part.sha256,
        created_at: toMoment(now),
      })
      .execute();
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

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

export async function deletePart(db: Db, uploadId: string, start: number): Promise<void> {
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

export async function findEndedWithParts(db: DbOrTx, limit: number): Promise<string[]> {
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
