import { type DbOrTx, type Tx, changesAny } from "~db/connection.server";
import { toMoment } from "~/text/dates";

export interface NewObject {
  objectId: string;
  storedFileId: number | null;
  fileName: string;
  refused: string | null;
}

/** References hold 35 characters, a UUID 36, so only 35 are compared. */
const comparable = (objectId: string) => objectId.slice(0, 35);

export async function insertObjects(tx: Tx, messageId: number, objects: readonly NewObject[]): Promise<void> {
  if (objects.length === 0) return;
  await tx
    .insertInto("edi_object")
    .values(
      objects.map(({ objectId, storedFileId, fileName, refused }) => ({
        message_id: messageId,
        object_id: comparable(objectId),
        stored_file_id: storedFileId,
        file_name: fileName,
        refused: refused?.slice(0, 500) ?? null,
        referral_id: null,
      })),
    )
    .execute();
}

export async function insertReferences(
  tx: Tx,
  messageId: number,
  references: readonly { objectId: string; description: string | null }[],
  dueAt: Date,
): Promise<void> {
  if (references.length === 0) return;
  await tx
    .insertInto("edi_reference")
    .values(
      references.map(({ objectId, description }) => ({
        message_id: messageId,
        object_id: comparable(objectId),
        description: description?.slice(0, 70) ?? null,
        edi_object_id: null,
        due_at: toMoment(dueAt),
        missing_since: null,
      })),
    )
    .execute();
}

export async function findLooseObjects(db: DbOrTx, messageId: number) {
  return db
    .selectFrom("edi_object")
    .leftJoin("stored_file", "stored_file.id", "edi_object.stored_file_id")
    .select([
      "edi_object.id",
      "edi_object.object_id",
      "edi_object.stored_file_id",
      "edi_object.file_name",
      "edi_object.refused",
      "stored_file.sha256",
    ])
    .where("edi_object.message_id", "=", messageId)
    .where("edi_object.referral_id", "is", null)
    .orderBy("edi_object.id")
    .execute();
}

export type LooseObject = Awaited<ReturnType<typeof findLooseObjects>>[number];

export async function findLettersNaming(db: DbOrTx, senderEan: string | null, objectIds: readonly string[]) {
  if (objectIds.length === 0) return [];
  return db
    .selectFrom("edi_reference")
    .innerJoin("edi_message", "edi_message.id", "edi_reference.message_id")
    .select([
      "edi_reference.id",
      "edi_reference.object_id",
      "edi_reference.description",
      "edi_reference.message_id",
      "edi_message.referral_id",
      "edi_message.state",
      "edi_message.cpr_hash",
    ])
    .where("edi_reference.object_id", "in", objectIds)
    .where("edi_message.state", "not in", ["duplicate", "refused", "dismissed"])
    .$if(senderEan !== null, (query) => query.where("edi_message.sender_ean", "=", senderEan))
    .orderBy("edi_reference.id")
    .execute();
}

export async function makeObjectsDue(tx: Tx, messageId: number, now: Date): Promise<void> {
  await tx
    .updateTable("edi_message")
    .set({ next_at: toMoment(now) })
    .where("state", "=", "waiting")
    .where("kind", "=", "attachment")
    .where(
      "id",
      "in",
      tx
        .selectFrom("edi_object")
        .innerJoin("edi_reference", "edi_reference.object_id", "edi_object.object_id")
        .select("edi_object.message_id")
        .where("edi_reference.message_id", "=", messageId),
    )
    .execute();
}

export async function bindObject(
  tx: Tx,
  objectId: number,
  referralId: number,
  referenceIds: readonly number[],
): Promise<void> {
  await tx.updateTable("edi_object").set({ referral_id: referralId }).where("id", "=", objectId).execute();
  if (referenceIds.length > 0)
    await tx.updateTable("edi_reference").set({ edi_object_id: objectId }).where("id", "in", referenceIds).execute();
}

/** Announced files of letters on referrals that did not arrive in time. */
export async function findMissing(db: DbOrTx, now: Date, limit: number) {
  return db
    .selectFrom("edi_reference")
    .innerJoin("edi_message", "edi_message.id", "edi_reference.message_id")
    .select(["edi_reference.id", "edi_reference.description", "edi_reference.object_id", "edi_message.referral_id"])
    .where("edi_reference.edi_object_id", "is", null)
    .where("edi_reference.missing_since", "is", null)
    .where("edi_reference.due_at", "<=", toMoment(now))
    .where("edi_message.referral_id", "is not", null)
    .orderBy("edi_reference.id")
    .limit(limit)
    .execute();
}

export async function markMissing(tx: Tx, referenceId: number, now: Date): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("edi_reference")
      .set({ missing_since: toMoment(now) })
      .where("id", "=", referenceId)
      .where("missing_since", "is", null)
      .where("edi_object_id", "is", null),
  );
}

/** Deletes a message's files that are on no referral; returns the stored ones. */
export async function deleteLooseObjects(tx: Tx, messageId: number): Promise<number[]> {
  const loose = await findLooseObjects(tx, messageId);
  await tx.deleteFrom("edi_object").where("message_id", "=", messageId).where("referral_id", "is", null).execute();
  return loose.flatMap(({ stored_file_id: id }) => id ?? []);
}

export async function deleteReferences(tx: Tx, messageId: number): Promise<void> {
  await tx.deleteFrom("edi_reference").where("message_id", "=", messageId).execute();
}

export async function findFilesOf(db: DbOrTx, messageIds: readonly number[]) {
  if (messageIds.length === 0) return { objects: [], missing: [] };
  return {
    objects: await db
      .selectFrom("edi_object")
      .select(["message_id", "file_name", "refused"])
      .where("message_id", "in", messageIds)
      .orderBy("id")
      .execute(),
    missing: await db
      .selectFrom("edi_reference")
      .select(["message_id", "description", "object_id", "missing_since"])
      .where("message_id", "in", messageIds)
      .where("edi_object_id", "is", null)
      .orderBy("id")
      .execute(),
  };
}
