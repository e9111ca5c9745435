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
    .insertInto("ediObject")
    .values(
      objects.map(({ objectId, storedFileId, fileName, refused }) => ({
        messageId,
        objectId: comparable(objectId),
        storedFileId,
        fileName,
        refused: refused?.slice(0, 500) ?? null,
        referralId: null,
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
    .insertInto("ediReference")
    .values(
      references.map(({ objectId, description }) => ({
        messageId,
        objectId: comparable(objectId),
        description: description?.slice(0, 70) ?? null,
        ediObjectId: null,
        dueAt: toMoment(dueAt),
        missingSince: null,
      })),
    )
    .execute();
}

export async function findLooseObjects(db: DbOrTx, messageId: number) {
  return db
    .selectFrom("ediObject")
    .leftJoin("storedFile", "storedFile.id", "ediObject.storedFileId")
    .select([
      "ediObject.id",
      "ediObject.objectId",
      "ediObject.storedFileId",
      "ediObject.fileName",
      "ediObject.refused",
      "storedFile.sha256",
    ])
    .where("ediObject.messageId", "=", messageId)
    .where("ediObject.referralId", "is", null)
    .orderBy("ediObject.id")
    .execute();
}

export type LooseObject = Awaited<ReturnType<typeof findLooseObjects>>[number];

export async function findLettersNaming(db: DbOrTx, senderEan: string | null, objectIds: readonly string[]) {
  if (objectIds.length === 0) return [];
  return db
    .selectFrom("ediReference")
    .innerJoin("ediMessage", "ediMessage.id", "ediReference.messageId")
    .select([
      "ediReference.id",
      "ediReference.objectId",
      "ediReference.description",
      "ediReference.messageId",
      "ediMessage.referralId",
      "ediMessage.state",
      "ediMessage.cprHash",
    ])
    .where("ediReference.objectId", "in", objectIds)
    .where("ediMessage.state", "not in", ["duplicate", "refused", "dismissed"])
    .$if(senderEan !== null, (query) => query.where("ediMessage.senderEan", "=", senderEan))
    .orderBy("ediReference.id")
    .execute();
}

export async function makeObjectsDue(tx: Tx, messageId: number, now: Date): Promise<void> {
  await tx
    .updateTable("ediMessage")
    .set({ nextAt: toMoment(now) })
    .where("state", "=", "waiting")
    .where("kind", "=", "attachment")
    .where(
      "id",
      "in",
      tx
        .selectFrom("ediObject")
        .innerJoin("ediReference", "ediReference.objectId", "ediObject.objectId")
        .select("ediObject.messageId")
        .where("ediReference.messageId", "=", messageId),
    )
    .execute();
}

export async function bindObject(
  tx: Tx,
  objectId: number,
  referralId: number,
  referenceIds: readonly number[],
): Promise<void> {
  await tx.updateTable("ediObject").set({ referralId }).where("id", "=", objectId).execute();
  if (referenceIds.length > 0)
    await tx.updateTable("ediReference").set({ ediObjectId: objectId }).where("id", "in", referenceIds).execute();
}

/** Announced files of letters on referrals that did not arrive in time. */
export async function findMissing(db: DbOrTx, now: Date, limit: number) {
  return db
    .selectFrom("ediReference")
    .innerJoin("ediMessage", "ediMessage.id", "ediReference.messageId")
    .select(["ediReference.id", "ediReference.description", "ediReference.objectId", "ediMessage.referralId"])
    .where("ediReference.ediObjectId", "is", null)
    .where("ediReference.missingSince", "is", null)
    .where("ediReference.dueAt", "<=", toMoment(now))
    .where("ediMessage.referralId", "is not", null)
    .orderBy("ediReference.id")
    .limit(limit)
    .execute();
}

export async function markMissing(tx: Tx, referenceId: number, now: Date): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("ediReference")
      .set({ missingSince: toMoment(now) })
      .where("id", "=", referenceId)
      .where("missingSince", "is", null)
      .where("ediObjectId", "is", null),
  );
}

/** Deletes a message's files that are on no referral; returns the stored ones. */
export async function deleteLooseObjects(tx: Tx, messageId: number): Promise<number[]> {
  const loose = await findLooseObjects(tx, messageId);
  await tx.deleteFrom("ediObject").where("messageId", "=", messageId).where("referralId", "is", null).execute();
  return loose.flatMap(({ storedFileId: id }) => id ?? []);
}

export async function deleteReferences(tx: Tx, messageId: number): Promise<void> {
  await tx.deleteFrom("ediReference").where("messageId", "=", messageId).execute();
}

export async function findFilesOf(db: DbOrTx, messageIds: readonly number[]) {
  if (messageIds.length === 0) return { objects: [], missing: [] };
  return {
    objects: await db
      .selectFrom("ediObject")
      .select(["messageId", "fileName", "refused"])
      .where("messageId", "in", messageIds)
      .orderBy("id")
      .execute(),
    missing: await db
      .selectFrom("ediReference")
      .select(["messageId", "description", "objectId", "missingSince"])
      .where("messageId", "in", messageIds)
      .where("ediObjectId", "is", null)
      .orderBy("id")
      .execute(),
  };
}
