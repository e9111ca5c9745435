import type { DbOrTx, Tx } from "~db/connection.server";
import { sealedImport } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";
import type { AppointmentRow } from "./appointment-csv.server";
import type { Decision } from "./import-rules";

/** An uploaded file's own state; the log of uploads shows 1 and 2 as such, and everything else as pending. */
export const fileStates = { waiting: 0, imported: 1, failed: 2, importing: 3 } as const;

const BATCH_SIZE = 200;

export interface PlannedRow {
  row: AppointmentRow;
  decision: Decision;
}

/** Keeps a file that has been read, with what the dry run said of each row. Answers its id. */
export async function insertAppointmentFile(
  tx: Tx,
  secrets: Secrets,
  { userId, fileName, rows, now }: { userId: number; fileName: string; rows: PlannedRow[]; now: Date },
): Promise<number> {
  const file = await tx
    .insertInto("appointment_file")
    .values({
      user_id: userId,
      file_name: fileName,
      status: fileStates.waiting,
      status_text: null,
      row_count: rows.length,
      rows_done: 0,
      create_date: toMoment(now),
      import_date: null,
    })
    .executeTakeFirstOrThrow();
  const fileId = Number(file.insertId);
  for (let at = 0; at < rows.length; at += BATCH_SIZE) {
    await tx
      .insertInto("appointment_import")
      .values(
        rows.slice(at, at + BATCH_SIZE).map(({ row, decision }) => ({
          file_id: fileId,
          line: row.line,
          ...sealedImport.seal(secrets, JSON.stringify(row)),
          cpr_hash: row.cpr === null ? null : secrets.lookup("cpr", row.cpr),
          cpr6: row.cpr?.slice(0, 6) ?? null,
          referral_id: decision.referralId,
          operation_date: row.date,
          operation_time: row.time,
          external_code: row.code,
          planned_status: decision.status,
          status: null,
          import_date: null,
        })),
      )
      .execute();
  }
  return fileId;
}

export function findAppointmentFile(db: DbOrTx, id: number) {
  return db.selectFrom("appointment_file").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The newest files and who brought them. */
export function findAppointmentFiles(db: DbOrTx) {
  return db
    .selectFrom("appointment_file")
    .leftJoin("user", "user.id", "appointment_file.user_id")
    .selectAll("appointment_file")
    .select(["user.first_name", "user.last_name"])
    .orderBy("appointment_file.id", "desc")
    .limit(20)
    .execute();
}

/** Rows of a file by their lines, a page at a time. */
export function findImportRows(db: DbOrTx, fileId: number, { offset, limit }: { offset: number; limit: number }) {
  return db
    .selectFrom("appointment_import")
    .selectAll()
    .where("file_id", "=", fileId)
    .orderBy("line")
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();
}

/** How many rows of a file have become what; `planned` counts what the dry run says of those that wait. */
export async function countImportStates(
  db: DbOrTx,
  fileId: number,
  { planned }: { planned: boolean },
): Promise<{ status: number; count: number }[]> {
  const column = planned ? "planned_status" : "status";
  const rows = await db
    .selectFrom("appointment_import")
    .select((eb) => [`${column} as state`, eb.fn.countAll<number>().as("count")])
    .where("file_id", "=", fileId)
    .where(column, "is not", null)
    .groupBy(column)
    .execute();
  return rows.map(({ state, count }) => ({ status: Number(state), count: Number(count) }));
}

/** The file being imported and its next rows, or null when none waits. */
export async function findRowsToImport(db: DbOrTx, limit: number) {
  const file = await db
    .selectFrom("appointment_file")
    .selectAll()
    .where("status", "=", fileStates.importing)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (!file) return null;
  const rows = await db
    .selectFrom("appointment_import")
    .selectAll()
    .where("file_id", "=", file.id)
    .where("status", "is", null)
    .orderBy("line")
    .orderBy("id")
    .limit(limit)
    .execute();
  return { file, rows };
}

/** Lets a file be imported that waits or failed. */
export async function markImporting(tx: Tx, fileId: number): Promise<void> {
  await tx
    .updateTable("appointment_file")
    .set({ status: fileStates.importing })
    .where("id", "=", fileId)
    .where("status", "in", [fileStates.waiting, fileStates.failed])
    .execute();
}

export async function markFailed(tx: Tx, fileId: number): Promise<void> {
  await tx.updateTable("appointment_file").set({ status: fileStates.failed }).where("id", "=", fileId).execute();
}

/** What became of a row. */
export async function updateImportRow(
  tx: Tx,
  id: number,
  { status, referralId, now }: { status: number; referralId: number | null; now: Date },
): Promise<void> {
  await tx
    .updateTable("appointment_import")
    .set({ status, referral_id: referralId, import_date: toMoment(now) })
    .where("id", "=", id)
    .execute();
}

/** How far the import of a file has come; at its end it is imported. */
export async function updateProgress(
  tx: Tx,
  fileId: number,
  { rowsDone, isEnd, now }: { rowsDone: number; isEnd: boolean; now: Date },
): Promise<void> {
  await tx
    .updateTable("appointment_file")
    .set({ rows_done: rowsDone, ...(isEnd ? { status: fileStates.imported, import_date: toMoment(now) } : {}) })
    .where("id", "=", fileId)
    .execute();
}

/** Whether a file was imported since a moment (UTC). */
export async function isImportedSince(db: DbOrTx, moment: string): Promise<boolean> {
  return (
    (await db
      .selectFrom("appointment_file")
      .select("id")
      .where("import_date", ">=", moment)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}
