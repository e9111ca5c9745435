import { sql } from "kysely";
import type { Secrets } from "~/access/secrets.server";
import type { AppointmentRow } from "~/features/appointments/appointment-csv.server";
import type { Portal } from "~/portal.server";
import { inTransaction, type Tx } from "~db/connection.server";

const BATCH = 500;

/** Encrypted columns besides CPR numbers, and what each was encrypted for. */
const sealedColumns = [
  { table: "typed_input", column: "values_encrypted", purpose: "draft" },
  { table: "appointment_import", column: "values_encrypted", purpose: "draft" },
  { table: "call_up", column: "content_encrypted", purpose: "outbox" },
  { table: "appointment_letter", column: "content_encrypted", purpose: "outbox" },
  { table: "outbox", column: "recipient_encrypted", purpose: "outbox" },
  { table: "outbox", column: "content_encrypted", purpose: "outbox" },
] as const;

interface Sealed {
  id: number;
  sealed: string;
}

/**
 * Rewrites every ciphertext and CPR look-up under the present `APP_SECRET`; what cannot be read with it or with
 * `APP_SECRET_PREVIOUS` is counted and left as it is. The portal may run meanwhile: a row that was changed since it was read is left
 * to its change. Can be stopped and run again.
 */
export async function rotateKeys(portal: Portal): Promise<void> {
  const { secrets } = portal;
  const count = { rewritten: 0, unreadable: 0 };
  await inBatches(portal, "referral", "cpr_encrypted", async (tx, { id, sealed }) => {
    const cpr = secrets.decrypt("cpr", sealed);
    count[cpr === null ? "unreadable" : "rewritten"] += 1;
    if (cpr !== null) await rewriteCpr(tx, secrets, { id, sealed, cpr });
  });
  for (const { table, column, purpose } of sealedColumns) {
    await inBatches(portal, table, column, async (tx, { id, sealed }) => {
      const plain = secrets.decrypt(purpose, sealed);
      count[plain === null ? "unreadable" : "rewritten"] += 1;
      if (plain === null) return;
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${secrets.encrypt(purpose, plain)} where id = ${id} and ${sql.ref(column)} = ${sealed}`.execute(tx);
      if (table === "appointment_import") await rewriteImportedCpr(tx, secrets, id, JSON.parse(plain) as AppointmentRow);
    });
  }
  console.log(`${count.rewritten} felter er skrevet om${count.unreadable > 0 ? `; ${count.unreadable} felter kunne ikke læses med nogen af nøglerne` : ""}.`);
}

/** A referral's CPR number, with all that is looked up by it: the patient, and the images whose header names the same one. */
async function rewriteCpr(tx: Tx, secrets: Secrets, { id, sealed, cpr }: Sealed & { cpr: string }): Promise<void> {
  const hash = secrets.lookup("cpr", cpr);
  const { numUpdatedRows } = await tx
    .updateTable("referral")
    .set({ cpr_encrypted: secrets.encrypt("cpr", cpr), cpr_hash: hash })
    .where("id", "=", id)
    .where("cpr_encrypted", "=", sealed)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const { patient_id: patientId } = await tx.selectFrom("referral").select("patient_id").where("id", "=", id).executeTakeFirstOrThrow();
  if (patientId !== null) await tx.updateTable("patient").set({ cpr_hash: hash }).where("id", "=", patientId).execute();
  const files = await tx.selectFrom("referral_file").select("stored_file_id").where("referral_id", "=", id).execute();
  if (files.length === 0) return;
  await tx
    .updateTable("stored_file")
    .set({ dicom_cpr_hash: hash })
    .where("id", "in", files.map((file) => file.stored_file_id))
    .where("dicom_cpr_hash", "in", secrets.lookups("cpr", cpr))
    .execute();
}

async function rewriteImportedCpr(tx: Tx, secrets: Secrets, id: number, { cpr }: AppointmentRow): Promise<void> {
  if (cpr !== null) await tx.updateTable("appointment_import").set({ cpr_hash: secrets.lookup("cpr", cpr) }).where("id", "=", id).execute();
}

/** Every row of a table that has the column, in order of its id, some hundred to a transaction. */
async function inBatches({ db }: Portal, table: string, column: string, work: (tx: Tx, row: Sealed) => Promise<void>): Promise<void> {
  const [from, sealed] = [sql.table(table), sql.ref(column)];
  for (let after = 0; ; ) {
    const { rows } = await sql<Sealed>`select id, ${sealed} as sealed from ${from} where id > ${after} and ${sealed} is not null order by id limit ${BATCH}`.execute(db);
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    await inTransaction(db, async (tx) => {
      for (const row of rows) await work(tx, row);
    });
  }
}
