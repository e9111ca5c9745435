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
    .insertInto("letter_batch")
    .values({
      created_at: toMoment(now),
      creator_id: creatorId,
      stored_file_id: storedFileId,
      page_count: pageCount,
      printed_at: null,
      printed_by: null,
      withdrawn_at: null,
    })
    .executeTakeFirstOrThrow();
  const batchId = Number(insertId);
  await tx
    .insertInto("letter_batch_item")
    .values(
      items.map((item, index) => ({
        batch_id: batchId,
        outbox_id: item.outboxId,
        live_outbox_id: item.outboxId,
        position: index + 1,
        first_page: item.firstPage,
        page_count: item.pageCount,
        left_out: null,
      })),
    )
    .execute();
  return batchId;
}

export async function findBatch(db: DbOrTx, id: number) {
  return db
    .selectFrom("letter_batch")
    .innerJoin("stored_file", "stored_file.id", "letter_batch.stored_file_id")
    .select([
      "letter_batch.id",
      "letter_batch.created_at",
      "printed_at",
      "withdrawn_at",
      "stored_file.storage_key",
      "stored_file.size_bytes",
    ])
    .where("letter_batch.id", "=", id)
    .executeTakeFirst();
}

export async function findItems(db: DbOrTx, batchId: number) {
  return db
    .selectFrom("letter_batch_item")
    .innerJoin("outbox", "outbox.id", "letter_batch_item.outbox_id")
    .select([
      "outbox_id",
      "first_page",
      "letter_batch_item.page_count",
      "left_out",
      "outbox.referral_id",
      "outbox.detail as withdrawn_because",
    ])
    .where("batch_id", "=", batchId)
    .orderBy("position")
    .execute();
}

export async function findBatches(db: DbOrTx, { from, to }: { from: string; to: string }, limit: number) {
  return db
    .selectFrom("letter_batch")
    .select((eb) => [
      "id",
      "created_at",
      "page_count",
      "printed_at",
      "withdrawn_at",
      eb
        .selectFrom("letter_batch_item")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("letter_batch_item.batch_id", "=", "letter_batch.id")
        .as("letter_count"),
    ])
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function findLiveBatches(db: DbOrTx) {
  return db
    .selectFrom("letter_batch")
    .select("id")
    .where("printed_at", "is", null)
    .where("withdrawn_at", "is", null)
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
      .updateTable("letter_batch")
      .set(how === "withdrawn" ? { withdrawn_at: at } : { printed_at: at, printed_by: how.printedBy })
      .where("id", "=", id)
      .where("printed_at", "is", null)
      .where("withdrawn_at", "is", null),
  );
  if (!isEnded) return false;
  await tx.updateTable("letter_batch_item").set({ live_outbox_id: null }).where("batch_id", "=", id).execute();
  return true;
}

export async function leaveOut(tx: Tx, batchId: number, outboxId: number, reason: string): Promise<void> {
  await tx
    .updateTable("letter_batch_item")
    .set({ left_out: reason.slice(0, 200) })
    .where("batch_id", "=", batchId)
    .where("outbox_id", "=", outboxId)
    .execute();
}

export async function hasMadeSince(db: DbOrTx, since: string): Promise<boolean> {
  const made = await db
    .selectFrom("letter_batch")
    .select("id")
    .where("created_at", ">=", since)
    .where("creator_id", "is", null)
    .limit(1)
    .executeTakeFirst();
  return made !== undefined;
}
