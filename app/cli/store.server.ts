import { type RawBuilder, sql } from "kysely";
import type { DbOrTx, Tx } from "~db/connection.server";

export type EncryptedRow = { id: number; identity: string | null } & Record<string, unknown>;

interface EncryptedTable {
  table: string;
  columns: readonly string[];
  identity: string;
}

export async function findEncryptedRows(
  db: DbOrTx,
  { table, columns, identity }: EncryptedTable,
  { after, limit }: { after: number; limit: number },
): Promise<EncryptedRow[]> {
  const names = columns.map((column) => sql.ref(column));
  const filled = sql.join(
    names.map((name) => sql`${name} is not null`),
    sql` or `,
  );
  const { rows } =
    await sql<EncryptedRow>`select id, ${sql.ref(identity)} as identity, ${sql.join(names)} from ${sql.table(table)} where id > ${after} and (${filled}) order by id limit ${limit}`.execute(
      db,
    );
  return rows;
}

/** Writes a row's new ciphertexts in one statement unless one changed since it was read; returns whether it wrote. */
export async function updateCiphertexts(
  tx: Tx,
  table: string,
  id: number,
  {
    ciphertexts,
    identity,
  }: {
    ciphertexts: { column: string; before: string; after: string }[];
    identity?: { column: string; value: string };
  },
): Promise<boolean> {
  const equals = (column: string, value: string): RawBuilder<unknown> => sql`${sql.ref(column)} = ${value}`;
  const set = ciphertexts.map(({ column, after }) => equals(column, after));
  if (identity) set.push(equals(identity.column, identity.value));
  const unchanged = ciphertexts.map(({ column, before }) => equals(column, before));
  const { numAffectedRows } =
    await sql`update ${sql.table(table)} set ${sql.join(set)} where id = ${id} and ${sql.join(unchanged, sql` and `)}`.execute(
      tx,
    );
  return numAffectedRows !== 0n;
}

/** Updates every search hash of a referral's CPR number: the referral, the patient, the audit, and matching images. */
export async function updateReferralCprHash(
  tx: Tx,
  id: number,
  { hash, oldHashes }: { hash: string; oldHashes: string[] },
): Promise<void> {
  await tx.updateTable("referral").set({ cprHash: hash }).where("id", "=", id).execute();
  const { patientId } = await tx
    .selectFrom("referral")
    .select("patientId")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("auditEvent")
    .set({ cprHash: hash })
    .where("cprHash", "in", oldHashes)
    .where("cprHash", "!=", hash)
    .execute();
  if (patientId !== null) await tx.updateTable("patient").set({ cprHash: hash }).where("id", "=", patientId).execute();
  const files = await tx.selectFrom("referralFile").select("storedFileId").where("referralId", "=", id).execute();
  if (files.length === 0) return;
  await tx
    .updateTable("storedFile")
    .set({ dicomCprHash: hash })
    .where(
      "id",
      "in",
      files.map((file) => file.storedFileId),
    )
    .where("dicomCprHash", "in", oldHashes)
    .execute();
}

export async function updateCprHash(
  tx: Tx,
  table: "autosave" | "appointmentImport",
  id: number,
  hash: string,
): Promise<void> {
  await tx.updateTable(table).set({ cprHash: hash }).where("id", "=", id).execute();
}

export async function updateRecipientHash(tx: Tx, id: number, hash: string): Promise<void> {
  await tx
    .updateTable("outbox")
    .set({ recipientHash: hash })
    .where("id", "=", id)
    .where("recipientHash", "is not", null)
    .execute();
}

export async function updateSenderHash(tx: Tx, id: number, hash: string): Promise<void> {
  await tx.updateTable("incomingSms").set({ senderHash: hash }).where("id", "=", id).execute();
}

export async function updateBookingHash(tx: Tx, id: number, hash: string): Promise<void> {
  await tx.updateTable("parkingBooking").set({ bookingHash: hash }).where("id", "=", id).execute();
}

export async function updateStopHash(tx: Tx, id: number, hash: string): Promise<void> {
  await tx.updateTable("smsStop").set({ numberHash: hash }).where("id", "=", id).execute();
}

export interface MovedFile {
  storageKey: string;
  sha256: string;
}

export async function findFilesAfter(
  db: DbOrTx,
  after: number,
  limit: number,
): Promise<(MovedFile & { id: number })[]> {
  const rows = await db
    .selectFrom("storedFile")
    .select(["id", "storageKey", "sha256"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, storageKey: row.storageKey, sha256: row.sha256 }));
}

export async function findAllParts(db: DbOrTx): Promise<MovedFile[]> {
  const rows = await db.selectFrom("partialUploadPart").select(["storageKey", "sha256"]).execute();
  return rows.map((row) => ({ storageKey: row.storageKey, sha256: row.sha256 }));
}

export async function isStillKnown(db: DbOrTx, key: string): Promise<boolean> {
  const [file, part] = await Promise.all([
    db.selectFrom("storedFile").select("id").where("storageKey", "=", key).executeTakeFirst(),
    db.selectFrom("partialUploadPart").select("uploadId").where("storageKey", "=", key).executeTakeFirst(),
  ]);
  return file !== undefined || part !== undefined;
}
