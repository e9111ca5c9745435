import { DRAFT } from "~/access/scope.server";
import { fileStates } from "~/features/appointments/import-rules";
import { removeUnusedPatient } from "~/features/referrals/store/patient-store.server";
import { toMoment } from "~/text/dates";
import { type DbOrTx, type Tx, orNone, idsOf } from "~db/connection.server";
import { withoutIndex } from "~db/without-index";

export async function removeAutosaves(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom("autosave").where("modifiedAt", "<", toMoment(before)).execute();
}

export async function removeLinks(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom("accessToken").where("expiresAt", "<", toMoment(before)).execute();
}

export async function removeReceipts(tx: Tx, before: Date): Promise<void> {
  await tx
    .deleteFrom("deliveryEvent")
    .where("kind", "!=", "reply")
    .where("receivedAt", "<", toMoment(before))
    .execute();
}

export async function removeMassChanges(tx: Tx, before: Date): Promise<void> {
  const at = toMoment(before);
  await tx
    .deleteFrom("massChangeRow")
    .where("massChangeId", "in", tx.selectFrom("massChange").select("id").where("at", "<", at))
    .execute();
  await tx.deleteFrom("massChange").where("at", "<", at).execute();
}

/** Rows per statement; the job repeats it. */
const BATCH_SIZE = 500;

/** Texts of settled messages and of handled answers; the rows stay. */
export async function removeTexts(tx: Tx, before: Date): Promise<void> {
  const at = toMoment(before);
  const sent = await tx
    .selectFrom("outbox")
    .select("id")
    .where("hasText", "=", 1)
    .where("settledAt", "<", at)
    .orderBy("settledAt")
    .limit(BATCH_SIZE)
    .execute();
  await tx
    .updateTable("outbox")
    .set({ contentEncrypted: "" })
    .where("id", "in", orNone(idsOf(sent)))
    .execute();
  const answers = await tx
    .selectFrom("incomingSms")
    .select(["id", "deliveryEventId"])
    .where("hasText", "=", 1)
    .where("receivedAt", "<", at)
    .where("state", "in", ["settled", "dismissed"])
    .orderBy("receivedAt")
    .limit(BATCH_SIZE)
    .execute();
  await tx
    .updateTable("incomingSms")
    .set({ contentEncrypted: "" })
    .where("id", "in", orNone(idsOf(answers)))
    .execute();
  await tx
    .updateTable("deliveryEvent")
    .set({ contentEncrypted: null })
    .where("id", "in", orNone(answers.map((row) => row.deliveryEventId)))
    .execute();
}

const lastImport = async (tx: Tx, fileId: number) =>
  (
    await tx
      .selectFrom("appointmentImport")
      .select((eb) => eb.fn.max("importDate").as("at"))
      .where("fileId", "=", fileId)
      .executeTakeFirst()
  )?.at ?? null;

/** Deletes dry runs that were not imported: the whole file, or the remaining rows of a partly imported one. */
export async function removeImportPlans(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom("directoryPlan").where("createdAt", "<", toMoment(before)).execute();
  const files = await tx
    .selectFrom("appointmentFile")
    .select(["id", "status", "rowsDone"])
    .where("status", "in", [fileStates.waiting, fileStates.failed, fileStates.arriving])
    .where("createDate", "<", toMoment(before))
    .where("rowCount", ">", (eb) => eb.ref("rowsDone"))
    .limit(BATCH_SIZE)
    .execute();
  for (const { id, status, rowsDone } of files) {
    await tx.deleteFrom("appointmentImport").where("fileId", "=", id).where("status", "is", null).execute();
    if (rowsDone === 0 && status !== fileStates.failed)
      await tx.deleteFrom("appointmentFile").where("id", "=", id).execute();
    else
      await tx
        .updateTable("appointmentFile")
        .set({
          rowCount: rowsDone,
          ...(status === fileStates.waiting
            ? { status: fileStates.imported, importDate: await lastImport(tx, id) }
            : {}),
        })
        .where("id", "=", id)
        .execute();
  }
}

/** Letter batches that were printed or put back; the next purge deletes their files. */
export async function removeLetterBatches(tx: Tx, before: Date): Promise<void> {
  const at = toMoment(before);
  const batches = await tx
    .selectFrom("letterBatch")
    .select(["id", "storedFileId"])
    .where("createdAt", "<", at)
    .where((eb) => eb.or([eb("printedAt", "is not", null), eb("withdrawnAt", "is not", null)]))
    .orderBy("createdAt")
    .limit(BATCH_SIZE)
    .execute();
  await tx
    .updateTable("storedFile")
    .set({ purgeAfter: at })
    .where("id", "in", orNone(batches.map((row) => row.storedFileId)))
    .execute();
  await tx
    .deleteFrom("letterBatchItem")
    .where("batchId", "in", orNone(idsOf(batches)))
    .execute();
  await tx
    .deleteFrom("letterBatch")
    .where("id", "in", orNone(idsOf(batches)))
    .execute();
}

export function findFilesDue(db: DbOrTx, now: Date, limit: number) {
  return db
    .selectFrom("storedFile")
    .select(["id", "storageKey", "sha256"])
    .where("purgeAfter", "<=", toMoment(now))
    .limit(limit)
    .execute();
}

export async function hasDuplicate(db: DbOrTx, { id, sha256 }: { id: number; sha256: string }): Promise<boolean> {
  const duplicate = await db
    .selectFrom("storedFile")
    .select("id")
    .where("sha256", "=", sha256)
    .where("id", "!=", id)
    .limit(1)
    .executeTakeFirst();
  return duplicate !== undefined;
}

export async function deleteStoredFile(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom("storedFile").where("id", "=", id).execute();
}

export async function findKnownHashes(db: DbOrTx, hashes: string[]): Promise<Set<string>> {
  const found = await db.selectFrom("storedFile").select("sha256").where("sha256", "in", hashes).execute();
  return new Set(found.map(({ sha256 }) => sha256));
}

export async function findKnownKeys(db: DbOrTx, keys: string[]): Promise<Set<string>> {
  const stored = await db
    .selectFrom("storedFile")
    .select("storageKey as key")
    .where("storageKey", "in", keys)
    .execute();
  const arriving = await db.selectFrom("partialUpload").select("id as key").where("id", "in", keys).execute();
  const parts = await db
    .selectFrom("partialUploadPart")
    .select("storageKey as key")
    .where("storageKey", "in", keys)
    .execute();
  return new Set([...stored, ...arriving, ...parts].map(({ key }) => key));
}

export async function findDeletedDrafts(db: DbOrTx, before: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("referral")
    .select("id")
    .where("deletedAt", "<", toMoment(before))
    .where(withoutIndex("referral.status"), "=", DRAFT)
    .limit(limit)
    .execute();
  return idsOf(rows);
}

/**
 * Deletes a draft, its rows (by their foreign keys) and its patient, unless another referral names the patient. Its files
 * become due for purging.
 */
export async function purgeDraft(tx: Tx, id: number, now: Date): Promise<void> {
  const fileIds = tx.selectFrom("referralFile").select("storedFileId").where("referralId", "=", id);
  await tx
    .updateTable("storedFile")
    .set({ purgeAfter: toMoment(now) })
    .where("id", "in", fileIds)
    .execute();
  const draft = await tx.selectFrom("referral").select("patientId").where("id", "=", id).executeTakeFirst();
  await tx.deleteFrom("referral").where("id", "=", id).execute();
  await removeUnusedPatient(tx, draft?.patientId ?? null);
}
