import { sql } from "kysely";
import { type DbOrTx, insertUnlessThere } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { Purpose, Secrets } from "./secrets.server";

interface EncryptedColumn {
  table: string;
  column: string;
  purpose: Purpose;
  /** The column that a ciphertext is bound to, so that it cannot be decrypted in another row. Each table uses one. */
  identity: string;
}

/** A random identity that a row gets before its id is known; null in rows older than this column. */
export const ROW_KEY = "row_key";

const byRowKey = (table: string, column: string, purpose: Purpose): EncryptedColumn => ({
  table,
  column,
  purpose,
  identity: ROW_KEY,
});

export const encryptedColumns: readonly EncryptedColumn[] = [
  byRowKey("referral", "cpr_encrypted", "cpr"),
  byRowKey("autosave", "values_encrypted", "draft"),
  byRowKey("appointment_import", "values_encrypted", "draft"),
  byRowKey("directory_plan", "lines_encrypted", "draft"),
  byRowKey("call_up", "content_encrypted", "outbox"),
  byRowKey("appointment_letter", "content_encrypted", "outbox"),
  byRowKey("outbox", "recipient_encrypted", "outbox"),
  byRowKey("outbox", "content_encrypted", "outbox"),
  byRowKey("appointment_answer", "word_encrypted", "draft"),
  byRowKey("material_request", "note_encrypted", "draft"),
  byRowKey("material_line", "words_encrypted", "draft"),
  byRowKey("delivery_event", "content_encrypted", "outbox"),
  byRowKey("incoming_sms", "content_encrypted", "outbox"),
  byRowKey("sms_stop", "number_encrypted", "outbox"),
  byRowKey("parking_booking", "content_encrypted", "outbox"),
  byRowKey("edi_file", "content_encrypted", "edi"),
  byRowKey("edi_message", "content_encrypted", "edi"),
  byRowKey("second_factor", "secret_encrypted", "secondFactor"),
  byRowKey("recovery_code", "code_encrypted", "secondFactor"),
  { table: "stored_file", column: "dicom_facts_encrypted", purpose: "draft", identity: "storage_key" },
];

export async function recordKey(db: DbOrTx, secrets: Secrets, now: Date): Promise<void> {
  await insertUnlessThere(db, "encryption_key", {
    key_id: secrets.keyIds[0]!,
    first_used_at: toMoment(now),
    lost_at: null,
  });
}

/** Ids of encryption keys that neither `APP_SECRET` nor `APP_SECRET_PREVIOUS` can read and that were not abandoned. */
export async function findUnknownKeys(db: DbOrTx, secrets: Secrets): Promise<string[]> {
  const rows = await db.selectFrom("encryption_key").select("key_id").where("lost_at", "is", null).execute();
  return rows.map((row) => row.key_id).filter((id) => !secrets.keyIds.includes(id));
}

export async function findOtherKeys(db: DbOrTx, secrets: Secrets): Promise<string[]> {
  const present = secrets.keyIds[0]!;
  const rows = await db.selectFrom("encryption_key").select("key_id").where("key_id", "!=", present).execute();
  return rows.map((row) => row.key_id);
}

export async function deleteUnusedKeys(db: DbOrTx, keyIds: string[]): Promise<string[]> {
  const used: string[] = [];
  for (const id of keyIds) {
    if (await isUsed(db, id)) used.push(id);
    else await db.deleteFrom("encryption_key").where("key_id", "=", id).execute();
  }
  return used;
}

/** Marks keys whose secret is lost as abandoned: their ciphertexts stay unreadable and no longer stop the start. */
export async function abandonKeys(db: DbOrTx, keyIds: string[], now: Date): Promise<void> {
  if (keyIds.length > 0)
    await db
      .updateTable("encryption_key")
      .set({ lost_at: toMoment(now) })
      .where("key_id", "in", keyIds)
      .execute();
}

async function isUsed(db: DbOrTx, keyId: string): Promise<boolean> {
  for (const { table, column } of encryptedColumns) {
    const { rows } =
      await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} like ${`${keyId}.%`} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}
