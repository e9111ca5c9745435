import { parseArgs } from "node:util";
import { sql } from "kysely";
import { encryptedColumns, forgetUnusedKeys, giveUpKeys } from "~/access/encryption-key-store.server";
import { newRowKey, rowContext, type Secrets } from "~/access/secrets.server";
import type { AppointmentRow } from "~/features/appointments/appointment-csv.server";
import type { TypedValues } from "~/features/referrals/store/autosave-store.server";
import type { Portal } from "~/portal.server";
import { cprOf } from "~/text/fields.server";
import { inTransaction, type Tx } from "~db/connection.server";

const BATCH = 500;

type EncryptedColumn = (typeof encryptedColumns)[number];

/** A row's number, what its ciphertexts are bound to, and they themselves by their columns. */
type Row = { id: number; identity: string | null } & Record<string, unknown>;

/** What is looked up by what was encrypted, rewritten with it. */
const lookups: Record<string, (tx: Tx, secrets: Secrets, id: number, plain: string) => Promise<void>> = {
  referral: rewriteCpr,
  autosave: rewriteTypedCpr,
  appointment_import: rewriteImportedCpr,
};

/**
 * Rewrites every ciphertext and CPR look-up under the present `APP_SECRET`, bound to its row; what cannot be read with it or with
 * `APP_SECRET_PREVIOUS` is counted and left as it is. The portal may run meanwhile: a row that was changed since it was read is left
 * to its change. Can be stopped and run again. `--give-up-unreadable` lets the portal start without the secret of what could not be read.
 */
export async function rotateKeys(portal: Portal, args: string[] = []): Promise<void> {
  const { values: options } = parseArgs({ args, options: { "give-up-unreadable": { type: "boolean" } } });
  const { secrets } = portal;
  const count = { rewritten: 0, unreadable: 0 };
  for (const table of new Set(encryptedColumns.map((one) => one.table))) {
    const columns = encryptedColumns.filter((one) => one.table === table);
    await inBatches(portal, table, columns, async (tx, row) => {
      const { rewritten, unreadable } = await rewriteRow(tx, secrets, table, columns, row);
      count.rewritten += rewritten.length;
      count.unreadable += unreadable;
      for (const plain of rewritten) await lookups[table]?.(tx, secrets, row.id, plain);
    });
  }
  const others = (
    await portal.db.selectFrom("encryption_key").select("key_id").where("key_id", "!=", secrets.keyIds[0]!).execute()
  ).map((row) => row.key_id);
  const unreadable = await forgetUnusedKeys(portal.db, others);
  if (options["give-up-unreadable"]) await giveUpKeys(portal.db, unreadable, portal.clock.now());
  console.log(
    `${count.rewritten} felter er skrevet om${count.unreadable > 0 ? `; ${count.unreadable} felter kunne ikke læses med nogen af nøglerne` : ""}.`,
  );
}

/**
 * A row's ciphertexts in one statement, since they are bound to one key; answers what stood in them. A row that has no key gets one,
 * unless it holds something unreadable: that could not be bound with the rest.
 */
async function rewriteRow(
  tx: Tx,
  secrets: Secrets,
  table: string,
  columns: readonly EncryptedColumn[],
  row: Row,
): Promise<{ rewritten: string[]; unreadable: number }> {
  const found = columns.flatMap(({ column, purpose }) => {
    const sealed = row[column] as string | null;
    return sealed === null
      ? []
      : [{ column, purpose, sealed, plain: secrets.decrypt(purpose, sealed, rowContext(table, column, row.identity)) }];
  });
  const readable = found.flatMap(({ plain, ...one }) => (plain === null ? [] : [{ ...one, plain }]));
  const unreadable = found.length - readable.length;
  if (readable.length === 0) return { rewritten: [], unreadable };
  const identity = row.identity ?? (unreadable === 0 ? newRowKey() : null);
  const set = readable.map(
    ({ column, purpose, plain }) =>
      sql`${sql.ref(column)} = ${secrets.encrypt(purpose, plain, rowContext(table, column, identity))}`,
  );
  if (identity !== row.identity) set.push(sql`${sql.ref(columns[0]!.identity)} = ${identity}`);
  const unchanged = readable.map(({ column, sealed }) => sql`${sql.ref(column)} = ${sealed}`);
  const { numAffectedRows } =
    await sql`update ${sql.table(table)} set ${sql.join(set)} where id = ${row.id} and ${sql.join(unchanged, sql` and `)}`.execute(
      tx,
    );
  return { rewritten: numAffectedRows === 0n ? [] : readable.map(({ plain }) => plain), unreadable };
}

/** All that is looked up by a referral's CPR number: itself, the patient, and the images whose header names the same one. */
async function rewriteCpr(tx: Tx, secrets: Secrets, id: number, cpr: string): Promise<void> {
  const hash = secrets.lookup("cpr", cpr);
  await tx.updateTable("referral").set({ cpr_hash: hash }).where("id", "=", id).execute();
  const { patient_id: patientId } = await tx
    .selectFrom("referral")
    .select("patient_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("audit_event")
    .set({ cpr_hash: hash })
    .where("cpr_hash", "in", secrets.lookups("cpr", cpr))
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
    .where("dicom_cpr_hash", "in", secrets.lookups("cpr", cpr))
    .execute();
}

async function rewriteImportedCpr(tx: Tx, secrets: Secrets, id: number, plain: string): Promise<void> {
  const { cpr } = JSON.parse(plain) as AppointmentRow;
  if (cpr !== null)
    await tx
      .updateTable("appointment_import")
      .set({ cpr_hash: secrets.lookup("cpr", cpr) })
      .where("id", "=", id)
      .execute();
}

async function rewriteTypedCpr(tx: Tx, secrets: Secrets, id: number, plain: string): Promise<void> {
  const cpr = cprOf(JSON.parse(plain) as TypedValues);
  if (cpr !== null)
    await tx
      .updateTable("autosave")
      .set({ cpr_hash: secrets.lookup("cpr", cpr) })
      .where("id", "=", id)
      .execute();
}

/** Every row of a table that holds something encrypted, in order of its id, some hundred to a transaction. */
async function inBatches(
  { db }: Portal,
  table: string,
  columns: readonly EncryptedColumn[],
  work: (tx: Tx, row: Row) => Promise<void>,
): Promise<void> {
  const names = columns.map(({ column }) => sql.ref(column));
  const identity = sql.ref(columns[0]!.identity);
  const filled = sql.join(
    names.map((name) => sql`${name} is not null`),
    sql` or `,
  );
  for (let after = 0; ;) {
    const { rows } =
      await sql<Row>`select id, ${identity} as identity, ${sql.join(names)} from ${sql.table(table)} where id > ${after} and (${filled}) order by id limit ${BATCH}`.execute(
        db,
      );
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    await inTransaction(db, async (tx) => {
      for (const row of rows) await work(tx, row);
    });
  }
}
