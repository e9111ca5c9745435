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

export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: "referral", column: "cpr_encrypted", purpose: "cpr", identity: ROW_KEY },
  { table: "autosave", column: "values_encrypted", purpose: "draft", identity: ROW_KEY },
  { table: "appointment_import", column: "values_encrypted", purpose: "draft", identity: ROW_KEY },
  { table: "directory_plan", column: "lines_encrypted", purpose: "draft", identity: ROW_KEY },
  { table: "call_up", column: "content_encrypted", purpose: "outbox", identity: ROW_KEY },
  { table: "appointment_letter", column: "content_encrypted", purpose: "outbox", identity: ROW_KEY },
  { table: "outbox", column: "recipient_encrypted", purpose: "outbox", identity: ROW_KEY },
  { table: "outbox", column: "content_encrypted", purpose: "outbox", identity: ROW_KEY },
  { table: "appointment_answer", column: "word_encrypted", purpose: "draft", identity: ROW_KEY },
  { table: "material_request", column: "note_encrypted", purpose: "draft", identity: ROW_KEY },
  { table: "material_line", column: "words_encrypted", purpose: "draft", identity: ROW_KEY },
  { table: "delivery_event", column: "content_encrypted", purpose: "outbox", identity: ROW_KEY },
  { table: "incoming_sms", column: "content_encrypted", purpose: "outbox", identity: ROW_KEY },
  { table: "sms_stop", column: "number_encrypted", purpose: "outbox", identity: ROW_KEY },
  { table: "parking_booking", column: "content_encrypted", purpose: "outbox", identity: ROW_KEY },
  { table: "edi_file", column: "content_encrypted", purpose: "edi", identity: ROW_KEY },
  { table: "edi_message", column: "content_encrypted", purpose: "edi", identity: ROW_KEY },
  { table: "second_factor", column: "secret_encrypted", purpose: "secondFactor", identity: ROW_KEY },
  { table: "recovery_code", column: "code_encrypted", purpose: "secondFactor", identity: ROW_KEY },
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
