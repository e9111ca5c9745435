import { type RawBuilder, sql } from "kysely";
import type { DbOrTx, Tx } from "~db/connection.server";

/** A row's number, what its ciphertexts are bound to, and they themselves by their columns. */
export type EncryptedRow = { id: number; identity: string | null } & Record<string, unknown>;

/** Where a table's ciphertexts stand, and the column that they are bound to. */
interface EncryptedTable {
  table: string;
  columns: readonly string[];
  identity: string;
}

/** The next rows of a table that hold something encrypted, in order of their id. */
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

/** Writes a row's new ciphertexts in one statement, unless one of them was changed since it was read; answers whether it did. */
export async function updateCiphertexts(
  tx: Tx,
  table: string,
  id: number,
  {
    ciphertexts,
    identity,
  }: {
    ciphertexts: { column: string; before: string; after: string }[];
    /** The column that they are bound to, where the row is given a new value of it. */
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

/** All that is looked up by a referral's CPR number: itself, the patient, the audit, and the images whose header names the same one. */
export async function updateReferralCprHash(
  tx: Tx,
  id: number,
  { hash, oldHashes }: { hash: string; oldHashes: string[] },
): Promise<void> {
  await tx.updateTable("referral").set({ cpr_hash: hash }).where("id", "=", id).execute();
  const { patient_id: patientId } = await tx
    .selectFrom("referral")
    .select("patient_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("audit_event")
    .set({ cpr_hash: hash })
    .where("cpr_hash", "in", oldHashes)
    .where("cpr_hash", "!=", hash)
    .execute();
  if (patientId !== null) await tx.updateTable("patient").set({ cpr_hash: hash }).where("id", "=", patientId).execute();
  const files = await tx.selectFrom("referral_file").select("stored_file_id").where("referral_id", "=", id).execute();
  if (files.length === 0) return;
  await tx
    .updateTable("stored_file")
    .set({ dicom_cpr_hash: hash })
    .where(
      "id",
      "in",
      files.map((file) => file.stored_file_id),
    )
    .where("dicom_cpr_hash", "in", oldHashes)
    .execute();
}

export async function updateCprHash(
  tx: Tx,
  table: "autosave" | "appointment_import",
  id: number,
  hash: string,
): Promise<void> {
  await tx.updateTable(table).set({ cpr_hash: hash }).where("id", "=", id).execute();
}

/** By which an answer finds the SMS that it answers; only of a message that has one. */
export async function updateRecipientHash(tx: Tx, id: number, hash: string): Promise<void> {
  await tx
    .updateTable("outbox")
    .set({ recipient_hash: hash })
    .where("id", "=", id)
    .where("recipient_hash", "is not", null)
    .execute();
}

export async function updateSenderHash(tx: Tx, id: number, hash: string): Promise<void> {
  await tx.updateTable("incoming_sms").set({ sender_hash: hash }).where("id", "=", id).execute();
}

export async function updateBookingHash(tx: Tx, id: number, hash: string): Promise<void> {
  await tx.updateTable("parking_booking").set({ booking_hash: hash }).where("id", "=", id).execute();
}

export async function updateStopHash(tx: Tx, id: number, hash: string): Promise<void> {
  await tx.updateTable("sms_stop").set({ number_hash: hash }).where("id", "=", id).execute();
}
