import { parseArgs } from "node:util";
import { abandonKeys, deleteUnusedKeys, encryptedColumns, findOtherKeys } from "~/access/encryption-key-store.server";
import { newRowKey, rowContext, type Secrets } from "~/access/secrets.server";
import type { AppointmentRow } from "~/features/appointments/appointment-csv.server";
import { bookingHash, type ParkingContent } from "~/features/parking/parking-content.server";
import type { TypedValues } from "~/features/referrals/store/autosave-store.server";
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
} from "./ciphertext-store.server";

const BATCH_SIZE = 500;

type EncryptedColumn = (typeof encryptedColumns)[number];

/** What is looked up by what was encrypted, rewritten with it. */
const lookups: Record<string, (tx: Tx, secrets: Secrets, id: number, plain: string) => Promise<void>> = {
  referral: rewriteCpr,
  autosave: rewriteTypedCpr,
  appointment_import: rewriteImportedCpr,
  // The other thing that is encrypted in an outgoing message is its text, which is JSON.
  outbox: async (tx, secrets, id, plain) => {
    if (plain.startsWith("+")) await updateRecipientHash(tx, id, secrets.lookup("phone", plain));
  },
  incoming_sms: (tx, secrets, id, plain) =>
    updateSenderHash(tx, id, secrets.lookup("phone", (JSON.parse(plain) as { from: string }).from)),
  parking_booking: (tx, secrets, id, plain) =>
    updateBookingHash(tx, id, bookingHash(secrets, JSON.parse(plain) as ParkingContent)),
  sms_stop: (tx, secrets, id, plain) => updateStopHash(tx, id, secrets.lookup("phone", plain)),
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
  const others = await findOtherKeys(portal.db, secrets);
  const unreadable = await deleteUnusedKeys(portal.db, others);
  if (options["give-up-unreadable"]) await abandonKeys(portal.db, unreadable, portal.clock.now());
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
  row: EncryptedRow,
): Promise<{ rewritten: string[]; unreadable: number }> {
  const found = columns.flatMap(({ column, purpose }) => {
    const sealed = row[column] as string | null;
    // Empty: removed for its age.
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
  if (cpr !== null) await updateCprHash(tx, "appointment_import", id, secrets.lookup("cpr", cpr));
}

async function rewriteTypedCpr(tx: Tx, secrets: Secrets, id: number, plain: string): Promise<void> {
  const cpr = cprOf(JSON.parse(plain) as TypedValues);
  if (cpr !== null) await updateCprHash(tx, "autosave", id, secrets.lookup("cpr", cpr));
}

/** Every row of a table that holds something encrypted, in order of its id, some hundred to a transaction. */
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
