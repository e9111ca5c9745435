import { parseArgs } from "node:util";
import { abandonKeys, deleteUnusedKeys, encryptedColumns, findOtherKeys } from "~/access/encryption-key-store.server";
import { newRowKey, rowContext, type Secrets } from "~/access/secrets.server";
import type { AppointmentRow } from "~/features/appointments/appointment-csv.server";
import { bookingHash, type ParkingContent } from "~/features/parking/parking-store.server";
import type { TypedValues } from "~/features/referrals/store/wizard-store.server";
import type { Portal } from "~/portal.server";
import { cprOf } from "~/text/fields.server";
import { inTransaction, type Tx } from "~db/connection.server";
import {
  type EncryptedRow,
  findEncryptedRows,
  updateBookingHash,
  updateCiphertexts,
  updateCprHash,
  updateRecipientHash,
  updateReferralCprHash,
  updateSenderHash,
  updateStopHash,
} from "./store.server";

const BATCH_SIZE = 500;

type EncryptedColumn = (typeof encryptedColumns)[number];

const lookups: Record<string, (tx: Tx, secrets: Secrets, id: number, plain: string) => Promise<void>> = {
  referral: rewriteCpr,
  autosave: rewriteTypedCpr,
  appointmentImport: rewriteImportedCpr,
  outbox: async (tx, secrets, id, plain) => {
    if (plain.startsWith("+")) await updateRecipientHash(tx, id, secrets.lookup("phone", plain));
  },
  incomingSms: (tx, secrets, id, plain) =>
    updateSenderHash(tx, id, secrets.lookup("phone", (JSON.parse(plain) as { from: string }).from)),
  parkingBooking: (tx, secrets, id, plain) =>
    updateBookingHash(tx, id, bookingHash(secrets, JSON.parse(plain) as ParkingContent)),
  smsStop: (tx, secrets, id, plain) => updateStopHash(tx, id, secrets.lookup("phone", plain)),
};

/**
 * Re-encrypts every ciphertext and CPR look-up with the present `APP_SECRET` and binds it to its row. Unreadable text
 * is counted and left. The portal may run meanwhile: rows changed since they were read are skipped. Can be stopped and
 * repeated. `--give-up-unreadable` allows a start without the lost secret.
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
  const others = await findOtherKeys(portal.db, secrets);
  const unreadable = await deleteUnusedKeys(portal.db, others);
  if (options["give-up-unreadable"]) await abandonKeys(portal.db, unreadable, portal.clock.now());
  console.log(
    `${count.rewritten} felter er skrevet om${count.unreadable > 0 ? `; ${count.unreadable} felter kunne ikke læses med nogen af nøglerne` : ""}.`,
  );
}

/**
 * Rewrites a row's ciphertexts in one statement, since they share one key, and returns the plain texts. A row without a
 * key gets one unless something in it is unreadable.
 */
async function rewriteRow(
  tx: Tx,
  secrets: Secrets,
  table: string,
  columns: readonly EncryptedColumn[],
  row: EncryptedRow,
): Promise<{ rewritten: string[]; unreadable: number }> {
  const found = columns.flatMap(({ column, purpose }) => {
    const sealed = row[column] as string | null;
    return !sealed
      ? []
      : [{ column, purpose, sealed, plain: secrets.decrypt(purpose, sealed, rowContext(table, column, row.identity)) }];
  });
  const readable = found.flatMap(({ plain, ...one }) => (plain === null ? [] : [{ ...one, plain }]));
  const unreadable = found.length - readable.length;
  if (readable.length === 0) return { rewritten: [], unreadable };
  const identity = row.identity ?? (unreadable === 0 ? newRowKey() : null);
  const isWritten = await updateCiphertexts(tx, table, row.id, {
    ciphertexts: readable.map(({ column, purpose, sealed, plain }) => ({
      column,
      before: sealed,
      after: secrets.encrypt(purpose, plain, rowContext(table, column, identity)),
    })),
    ...(identity !== row.identity && identity !== null
      ? { identity: { column: columns[0]!.identity, value: identity } }
      : {}),
  });
  return { rewritten: isWritten ? readable.map(({ plain }) => plain) : [], unreadable };
}

async function rewriteCpr(tx: Tx, secrets: Secrets, id: number, cpr: string): Promise<void> {
  await updateReferralCprHash(tx, id, { hash: secrets.lookup("cpr", cpr), oldHashes: secrets.lookups("cpr", cpr) });
}

async function rewriteImportedCpr(tx: Tx, secrets: Secrets, id: number, plain: string): Promise<void> {
  const { cpr } = JSON.parse(plain) as AppointmentRow;
  if (cpr !== null) await updateCprHash(tx, "appointmentImport", id, secrets.lookup("cpr", cpr));
}

async function rewriteTypedCpr(tx: Tx, secrets: Secrets, id: number, plain: string): Promise<void> {
  const cpr = cprOf(JSON.parse(plain) as TypedValues);
  if (cpr !== null) await updateCprHash(tx, "autosave", id, secrets.lookup("cpr", cpr));
}

async function inBatches(
  { db }: Portal,
  table: string,
  columns: readonly EncryptedColumn[],
  work: (tx: Tx, row: EncryptedRow) => Promise<void>,
): Promise<void> {
  const encrypted = { table, columns: columns.map(({ column }) => column), identity: columns[0]!.identity };
  for (let after = 0; ;) {
    const rows = await findEncryptedRows(db, encrypted, { after, limit: BATCH_SIZE });
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    await inTransaction(db, async (tx) => {
      for (const row of rows) await work(tx, row);
    });
  }
}
