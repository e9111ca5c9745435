import { type DbOrTx, type Tx, changesAny } from "~db/connection.server";
import { toMoment } from "~/text/dates";

interface NewBatch {
  creatorId: number | null;
  storedFileId: number;
  pageCount: number;
  items: { outboxId: number; firstPage: number; pageCount: number }[];
}

/** Inserts a batch. The database's key refuses a letter that is in another live batch (`unlessTaken`). */
export async function insertBatch(tx: Tx, { creatorId, storedFileId, pageCount, items }: NewBatch, now: Date) {
  const { insertId } = await tx
    .insertInto("letterBatch")
    .values({
      createdAt: toMoment(now),
      creatorId,
      storedFileId,
      pageCount,
      printedAt: null,
      printedBy: null,
      withdrawnAt: null,
    })
    .executeTakeFirstOrThrow();
  const batchId = Number(insertId);
  await tx
    .insertInto("letterBatchItem")
    .values(
      items.map((item, index) => ({
        batchId,
        outboxId: item.outboxId,
        liveOutboxId: item.outboxId,
        position: index + 1,
        firstPage: item.firstPage,
        pageCount: item.pageCount,
        leftOut: null,
      })),
    )
    .execute();
  return batchId;
}

export async function findBatch(db: DbOrTx, id: number) {
  return db
    .selectFrom("letterBatch")
    .innerJoin("storedFile", "storedFile.id", "letterBatch.storedFileId")
    .select([
      "letterBatch.id",
      "letterBatch.createdAt",
      "printedAt",
      "withdrawnAt",
      "storedFile.storageKey",
      "storedFile.sizeBytes",
    ])
    .where("letterBatch.id", "=", id)
    .executeTakeFirst();
}

export async function findItems(db: DbOrTx, batchId: number) {
  return db
    .selectFrom("letterBatchItem")
    .innerJoin("outbox", "outbox.id", "letterBatchItem.outboxId")
    .select([
      "outboxId",
      "firstPage",
      "letterBatchItem.pageCount",
      "leftOut",
      "outbox.referralId",
      "outbox.detail as withdrawnBecause",
    ])
    .where("batchId", "=", batchId)
    .orderBy("position")
    .execute();
}

export async function findBatches(db: DbOrTx, { from, to }: { from: string; to: string }, limit: number) {
  return db
    .selectFrom("letterBatch")
    .select((eb) => [
      "id",
      "createdAt",
      "pageCount",
      "printedAt",
      "withdrawnAt",
      eb
        .selectFrom("letterBatchItem")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("letterBatchItem.batchId", "=", "letterBatch.id")
        .as("letterCount"),
    ])
    .where("createdAt", ">=", from)
    .where("createdAt", "<", to)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function findLiveBatches(db: DbOrTx) {
  return db
    .selectFrom("letterBatch")
    .select("id")
    .where("printedAt", "is", null)
    .where("withdrawnAt", "is", null)
    .orderBy("id")
    .execute();
}

export async function endBatch(
  tx: Tx,
  id: number,
  how: { printedBy: number } | "withdrawn",
  now: Date,
): Promise<boolean> {
  const at = toMoment(now);
  const isEnded = await changesAny(
    tx
      .updateTable("letterBatch")
      .set(how === "withdrawn" ? { withdrawnAt: at } : { printedAt: at, printedBy: how.printedBy })
      .where("id", "=", id)
      .where("printedAt", "is", null)
      .where("withdrawnAt", "is", null),
  );
  if (!isEnded) return false;
  await tx.updateTable("letterBatchItem").set({ liveOutboxId: null }).where("batchId", "=", id).execute();
  return true;
}

export async function leaveOut(tx: Tx, batchId: number, outboxId: number, reason: string): Promise<void> {
  await tx
    .updateTable("letterBatchItem")
    .set({ leftOut: reason.slice(0, 200) })
    .where("batchId", "=", batchId)
    .where("outboxId", "=", outboxId)
    .execute();
}

export async function hasMadeSince(db: DbOrTx, since: string): Promise<boolean> {
  const made = await db
    .selectFrom("letterBatch")
    .select("id")
    .where("createdAt", ">=", since)
    .where("creatorId", "is", null)
    .limit(1)
    .executeTakeFirst();
  return made !== undefined;
}
