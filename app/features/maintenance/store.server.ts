import { DRAFT } from "~/access/scope.server";
import { fileStates } from "~/features/appointments/import-rules";
import { removeUnusedPatient } from "~/features/referrals/store/patient-store.server";
import { toMoment } from "~/text/dates";
import { type DbOrTx, type Tx, orNone, idsOf } from "~db/connection.server";
import { withoutIndex } from "~db/without-index";

export async function removeAutosaves(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom("autosave").where("modified_at", "<", toMoment(before)).execute();
}

export async function removeLinks(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom("access_token").where("expires_at", "<", toMoment(before)).execute();
}

export async function removeReceipts(tx: Tx, before: Date): Promise<void> {
  await tx
    .deleteFrom("delivery_event")
    .where("kind", "!=", "reply")
    .where("received_at", "<", toMoment(before))
    .execute();
}

export async function removeMassChanges(tx: Tx, before: Date): Promise<void> {
  const at = toMoment(before);
  await tx
    .deleteFrom("mass_change_row")
    .where("mass_change_id", "in", tx.selectFrom("mass_change").select("id").where("at", "<", at))
    .execute();
  await tx.deleteFrom("mass_change").where("at", "<", at).execute();
}

/** Rows per statement; the job repeats it. */
const BATCH_SIZE = 500;

/** Texts of settled messages and of handled answers; the rows stay. */
export async function removeTexts(tx: Tx, before: Date): Promise<void> {
  const at = toMoment(before);
  const sent = await tx
    .selectFrom("outbox")
    .select("id")
    .where("has_text", "=", 1)
    .where("settled_at", "<", at)
    .orderBy("settled_at")
    .limit(BATCH_SIZE)
    .execute();
  await tx
    .updateTable("outbox")
    .set({ content_encrypted: "" })
    .where("id", "in", orNone(idsOf(sent)))
    .execute();
  const answers = await tx
    .selectFrom("incoming_sms")
    .select(["id", "delivery_event_id"])
    .where("has_text", "=", 1)
    .where("received_at", "<", at)
    .where("state", "in", ["settled", "dismissed"])
    .orderBy("received_at")
    .limit(BATCH_SIZE)
    .execute();
  await tx
    .updateTable("incoming_sms")
    .set({ content_encrypted: "" })
    .where("id", "in", orNone(idsOf(answers)))
    .execute();
  await tx
    .updateTable("delivery_event")
    .set({ content_encrypted: null })
    .where("id", "in", orNone(answers.map((row) => row.delivery_event_id)))
    .execute();
}

const lastImport = async (tx: Tx, fileId: number) =>
  (
    await tx
      .selectFrom("appointment_import")
      .select((eb) => eb.fn.max("import_date").as("at"))
      .where("file_id", "=", fileId)
      .executeTakeFirst()
  )?.at ?? null;

/** Deletes dry runs that were not imported: the whole file, or the remaining rows of a partly imported one. */
export async function removeImportPlans(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom("directory_plan").where("created_at", "<", toMoment(before)).execute();
  const files = await tx
    .selectFrom("appointment_file")
    .select(["id", "status", "rows_done"])
    .where("status", "in", [fileStates.waiting, fileStates.failed, fileStates.arriving])
    .where("create_date", "<", toMoment(before))
    .where("row_count", ">", (eb) => eb.ref("rows_done"))
    .limit(BATCH_SIZE)
    .execute();
  for (const { id, status, rows_done: rowsDone } of files) {
    await tx.deleteFrom("appointment_import").where("file_id", "=", id).where("status", "is", null).execute();
    if (rowsDone === 0 && status !== fileStates.failed)
      await tx.deleteFrom("appointment_file").where("id", "=", id).execute();
    else
      await tx
        .updateTable("appointment_file")
        .set({
          row_count: rowsDone,
          ...(status === fileStates.waiting
            ? { status: fileStates.imported, import_date: await lastImport(tx, id) }
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
    .selectFrom("letter_batch")
    .select(["id", "stored_file_id"])
    .where("created_at", "<", at)
    .where((eb) => eb.or([eb("printed_at", "is not", null), eb("withdrawn_at", "is not", null)]))
    .orderBy("created_at")
    .limit(BATCH_SIZE)
    .execute();
  await tx
    .updateTable("stored_file")
    .set({ purge_after: at })
    .where("id", "in", orNone(batches.map((row) => row.stored_file_id)))
    .execute();
  await tx
    .deleteFrom("letter_batch_item")
    .where("batch_id", "in", orNone(idsOf(batches)))
    .execute();
  await tx
    .deleteFrom("letter_batch")
    .where("id", "in", orNone(idsOf(batches)))
    .execute();
}

export function findFilesDue(db: DbOrTx, now: Date, limit: number) {
  return db
    .selectFrom("stored_file")
    .select(["id", "storage_key", "sha256"])
    .where("purge_after", "<=", toMoment(now))
    .limit(limit)
    .execute();
}

export async function hasDuplicate(db: DbOrTx, { id, sha256 }: { id: number; sha256: string }): Promise<boolean> {
  const duplicate = await db
    .selectFrom("stored_file")
    .select("id")
    .where("sha256", "=", sha256)
    .where("id", "!=", id)
    .limit(1)
    .executeTakeFirst();
  return duplicate !== undefined;
}

export async function deleteStoredFile(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom("stored_file").where("id", "=", id).execute();
}

export async function findKnownHashes(db: DbOrTx, hashes: string[]): Promise<Set<string>> {
  const found = await db.selectFrom("stored_file").select("sha256").where("sha256", "in", hashes).execute();
  return new Set(found.map(({ sha256 }) => sha256));
}

export async function findKnownKeys(db: DbOrTx, keys: string[]): Promise<Set<string>> {
  const stored = await db
    .selectFrom("stored_file")
    .select("storage_key as key")
    .where("storage_key", "in", keys)
    .execute();
  const arriving = await db.selectFrom("partial_upload").select("id as key").where("id", "in", keys).execute();
  const parts = await db
    .selectFrom("partial_upload_part")
    .select("storage_key as key")
    .where("storage_key", "in", keys)
    .execute();
  return new Set([...stored, ...arriving, ...parts].map(({ key }) => key));
}

export async function findDeletedDrafts(db: DbOrTx, before: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("referral")
    .select("id")
    .where("deleted_at", "<", toMoment(before))
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
  const fileIds = tx.selectFrom("referral_file").select("stored_file_id").where("referral_id", "=", id);
  await tx
    .updateTable("stored_file")
    .set({ purge_after: toMoment(now) })
    .where("id", "in", fileIds)
    .execute();
  const draft = await tx.selectFrom("referral").select("patient_id").where("id", "=", id).executeTakeFirst();
  await tx.deleteFrom("referral").where("id", "=", id).execute();
  await removeUnusedPatient(tx, draft?.patient_id ?? null);
}
