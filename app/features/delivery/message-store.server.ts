import type { DbOrTx } from "~db/connection.server";
import type { Kind } from "./message-kinds";

export async function findNewestTo(db: DbOrTx, userId: number, kind: Kind, limit: number) {
  return db
    .selectFrom("outbox")
    .select(["id", "channel", "row_key", "recipient_encrypted", "content_encrypted", "created_at", "outcome", "detail"])
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function findNewest(db: DbOrTx, limit: number) {
  return db.selectFrom("outbox").selectAll().orderBy("id", "desc").limit(limit).execute();
}

export async function findOutboxMessage(db: DbOrTx, id: number) {
  return db.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function findAttachedFile(db: DbOrTx, id: number) {
  return db
    .selectFrom("outbox")
    .innerJoin("stored_file", "stored_file.id", "outbox.stored_file_id")
    .select(["storage_key as storageKey", "file_name as name", "size_bytes as sizeBytes"])
    .where("outbox.id", "=", id)
    .executeTakeFirst();
}
