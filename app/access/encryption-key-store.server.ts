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
export const ROW_KEY = "rowKey";

const byRowKey = (table: string, column: string, purpose: Purpose): EncryptedColumn => ({
  table,
  column,
  purpose,
  identity: ROW_KEY,
});

export const encryptedColumns: readonly EncryptedColumn[] = [
  byRowKey("referral", "cprEncrypted", "cpr"),
  byRowKey("autosave", "valuesEncrypted", "draft"),
  byRowKey("appointmentImport", "valuesEncrypted", "draft"),
  byRowKey("directoryPlan", "linesEncrypted", "draft"),
  byRowKey("callUp", "contentEncrypted", "outbox"),
  byRowKey("appointmentLetter", "contentEncrypted", "outbox"),
  byRowKey("outbox", "recipientEncrypted", "outbox"),
  byRowKey("outbox", "contentEncrypted", "outbox"),
  byRowKey("appointmentAnswer", "wordEncrypted", "draft"),
  byRowKey("materialRequest", "noteEncrypted", "draft"),
  byRowKey("materialLine", "wordsEncrypted", "draft"),
  byRowKey("deliveryEvent", "contentEncrypted", "outbox"),
  byRowKey("incomingSms", "contentEncrypted", "outbox"),
  byRowKey("smsStop", "numberEncrypted", "outbox"),
  byRowKey("parkingBooking", "contentEncrypted", "outbox"),
  byRowKey("ediFile", "contentEncrypted", "edi"),
  byRowKey("ediMessage", "contentEncrypted", "edi"),
  byRowKey("secondFactor", "secretEncrypted", "secondFactor"),
  byRowKey("recoveryCode", "codeEncrypted", "secondFactor"),
  { table: "storedFile", column: "dicomFactsEncrypted", purpose: "draft", identity: "storageKey" },
];

export async function recordKey(db: DbOrTx, secrets: Secrets, now: Date): Promise<void> {
  await insertUnlessThere(db, "encryptionKey", {
    keyId: secrets.keyIds[0]!,
    firstUsedAt: toMoment(now),
    lostAt: null,
  });
}

/** Ids of encryption keys that neither `APP_SECRET` nor `APP_SECRET_PREVIOUS` can read and that were not abandoned. */
export async function findUnknownKeys(db: DbOrTx, secrets: Secrets): Promise<string[]> {
  const rows = await db.selectFrom("encryptionKey").select("keyId").where("lostAt", "is", null).execute();
  return rows.map((row) => row.keyId).filter((id) => !secrets.keyIds.includes(id));
}

export async function findOtherKeys(db: DbOrTx, secrets: Secrets): Promise<string[]> {
  const present = secrets.keyIds[0]!;
  const rows = await db.selectFrom("encryptionKey").select("keyId").where("keyId", "!=", present).execute();
  return rows.map((row) => row.keyId);
}

export async function deleteUnusedKeys(db: DbOrTx, keyIds: string[]): Promise<string[]> {
  const used: string[] = [];
  for (const id of keyIds) {
    if (await isUsed(db, id)) used.push(id);
    else await db.deleteFrom("encryptionKey").where("keyId", "=", id).execute();
  }
  return used;
}

/** Marks keys whose secret is lost as abandoned: their ciphertexts stay unreadable and no longer stop the start. */
export async function abandonKeys(db: DbOrTx, keyIds: string[], now: Date): Promise<void> {
  if (keyIds.length > 0)
    await db
      .updateTable("encryptionKey")
      .set({ lostAt: toMoment(now) })
      .where("keyId", "in", keyIds)
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
