import { addSeconds } from "date-fns";
import { type DbOrTx, insertUnlessThere, type Tx, changesAny, rowCount } from "~db/connection.server";
import { toMoment } from "~/text/dates";

/** The moment of the copy that this installation was restored from; null if it is none or has resumed sending. */
export async function findCopyMoment(db: DbOrTx): Promise<string | null> {
  const row = await db.selectFrom("upkeep").select("at").where("name", "=", "copy").executeTakeFirst();
  return row?.at ?? null;
}

export async function markAsCopy(db: DbOrTx, madeAt: Date): Promise<void> {
  await db.deleteFrom("upkeep").execute();
  await db
    .insertInto("upkeep")
    .values({ name: "copy", at: toMoment(madeAt) })
    .execute();
}

export async function clearCopyMark(tx: Tx): Promise<boolean> {
  return changesAny(tx.deleteFrom("upkeep").where("name", "=", "copy"));
}

/** While a backup runs, nothing that it may still copy is deleted. */
export async function isBackupRunning(db: DbOrTx, now: Date): Promise<boolean> {
  const row = await db.selectFrom("upkeep").select("at").where("name", "=", "backup").executeTakeFirst();
  return row !== undefined && row.at > toMoment(now);
}

export async function beginBackup(db: DbOrTx, seconds: number, now: Date): Promise<boolean> {
  await db.deleteFrom("upkeep").where("name", "=", "backup").where("at", "<=", toMoment(now)).execute();
  return insertUnlessThere(db, "upkeep", { name: "backup", at: toMoment(addSeconds(now, seconds)) });
}

export async function renewBackup(db: DbOrTx, seconds: number, now: Date): Promise<void> {
  await db
    .updateTable("upkeep")
    .set({ at: toMoment(addSeconds(now, seconds)) })
    .where("name", "=", "backup")
    .execute();
}

export async function endBackup(db: DbOrTx): Promise<void> {
  await db.deleteFrom("upkeep").where("name", "=", "backup").execute();
}

export interface CopiedFile {
  id: number;
  storageKey: string;
  sha256: string;
}

export const findCopiedFiles = (db: DbOrTx, { after, limit }: { after: number; limit: number }) =>
  db
    .selectFrom("storedFile")
    .select(["id", "storageKey", "sha256"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();

export async function isStillStored(db: DbOrTx, storageKey: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom("storedFile")
    .select("purgeAfter")
    .where("storageKey", "=", storageKey)
    .executeTakeFirst();
  return row !== undefined && (row.purgeAfter === null || row.purgeAfter > toMoment(now));
}

/** Removes unfinished uploads from a copy: their parts changed while it was made. */
export async function deletePartialUploads(db: DbOrTx): Promise<void> {
  await db.deleteFrom("partialUploadPart").execute();
  await db.deleteFrom("partialUpload").execute();
  await db.deleteFrom("awaitedSending").execute();
  await db.updateTable("referral").set({ awaitedFiles: 0 }).where("awaitedFiles", ">", 0).execute();
}

export async function countCopied(db: DbOrTx): Promise<{ referrals: number; queuedMessages: number }> {
  return {
    referrals: await rowCount(db.selectFrom("referral").where("sentAt", "is not", null)),
    queuedMessages: await rowCount(db.selectFrom("outbox").where("outcome", "=", "queued")),
  };
}
