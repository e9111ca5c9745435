import type { Selectable } from "kysely";
import { type DbOrTx, forUpdate, type Tx, changesAny } from "~db/connection.server";
import type { Database } from "~db/schema";
import { sealedImport } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { mapInSlices } from "~/files/reading/in-slices";
import { toMoment } from "~/text/dates";
import type { AppointmentRow } from "./appointment-csv.server";
import { fileStates } from "./import-rules";
import type { CoveredDays, Decision } from "./judge-lines";

const BATCH_SIZE = 50;

export interface RowPlan extends Pick<Decision, "lineId" | "asks"> {
  /** Missing in dry runs of an earlier edition. */
  surgeons?: Decision["surgeons"];
  doubts?: Decision["doubts"];
  state: string;
}

export interface PlannedRow {
  row: AppointmentRow;
  decision: Decision;
  state: string;
}

const planned = ({
  decision: { status, referralId, lineId, asks, surgeons, doubts, note },
  state,
}: Omit<PlannedRow, "row">) => ({
  referral_id: referralId,
  planned_status: status,
  plan: JSON.stringify({ lineId, asks, surgeons, doubts, state } satisfies RowPlan),
  asks: asks.length > 0 || surgeons.length > 1 || doubts.length > 0 ? 1 : 0,
  note,
});

export const planOf = (row: { plan: string | null }): RowPlan | null =>
  row.plan === null ? null : (JSON.parse(row.plan) as RowPlan);

/** The decision the dry run showed; null for rows older than stored decisions. */
export function shownDecision(
  row: Pick<Selectable<Database["appointment_import"]>, "plan" | "planned_status" | "referral_id" | "note">,
): Decision | null {
  const plan = planOf(row);
  if (plan === null) return null;
  const { lineId, asks, surgeons = [], doubts = [] } = plan;
  return { status: row.planned_status, referralId: row.referral_id, lineId, asks, surgeons, doubts, note: row.note };
}

/**
 * Stores a parsed file and the dry run's decisions in small transactions, since one for 20,000 rows would block
 * everybody. Hidden until `markArrived`. Returns its id.
 */
export async function insertAppointmentFile(
  db: DbOrTx,
  secrets: Secrets,
  {
    userId,
    fileName,
    rows,
    covered,
    now,
  }: { userId: number; fileName: string; rows: readonly PlannedRow[]; covered: CoveredDays; now: Date },
): Promise<number> {
  const file = await db
    .insertInto("appointment_file")
    .values({
      user_id: userId,
      file_name: fileName,
      status: fileStates.arriving,
      status_text: null,
      row_count: rows.length,
      rows_done: 0,
      create_date: toMoment(now),
      import_date: null,
      first_day: covered.from,
      last_day: covered.to,
    })
    .executeTakeFirstOrThrow();
  const fileId = Number(file.insertId);
  await mapInSlices(rows, BATCH_SIZE, async (slice) => {
    await db
      .insertInto("appointment_import")
      .values(
        slice.map(({ row, ...decided }) => ({
          file_id: fileId,
          line: row.line,
          ...sealedImport.seal(secrets, JSON.stringify(row)),
          cpr_hash: row.cpr === null ? null : secrets.lookup("cpr", row.cpr),
          cpr6: row.cpr?.slice(0, 6) ?? null,
          operation_date: row.date,
          operation_time: row.time,
          external_code: row.code,
          ...planned(decided),
          status: null,
          import_date: null,
        })),
      )
      .execute();
    return [];
  });
  return fileId;
}

export async function markArrived(tx: Tx, id: number): Promise<void> {
  await tx.updateTable("appointment_file").set({ status: fileStates.waiting }).where("id", "=", id).execute();
}

const arrivedFiles = (db: DbOrTx) =>
  db.selectFrom("appointment_file").where("appointment_file.status", "!=", fileStates.arriving);

export function findAppointmentFile(db: DbOrTx, id: number) {
  return arrivedFiles(db).selectAll().where("id", "=", id).executeTakeFirst();
}

export function lockAppointmentFile(tx: Tx, id: number) {
  return forUpdate(tx, arrivedFiles(tx).selectAll().where("id", "=", id)).executeTakeFirst();
}

export function findAppointmentFiles(db: DbOrTx) {
  return arrivedFiles(db)
    .leftJoin("user", "user.id", "appointment_file.user_id")
    .selectAll("appointment_file")
    .select(["user.first_name", "user.last_name"])
    .orderBy("appointment_file.id", "desc")
    .limit(20)
    .execute();
}

export function findImportRows(db: DbOrTx, fileId: number, { offset, limit }: { offset: number; limit: number }) {
  return db
    .selectFrom("appointment_import")
    .selectAll()
    .where("file_id", "=", fileId)
    .orderBy("is_shown_again", "desc")
    .orderBy("line")
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();
}

const waitingRows = (db: DbOrTx, fileId: number) =>
  db.selectFrom("appointment_import").selectAll().where("file_id", "=", fileId).where("status", "is", null);

/** Rows where a person must choose between a moved and a further appointment, or between surgeons of one name. */
export function findQuestions(db: DbOrTx, fileId: number) {
  return waitingRows(db, fileId).where("asks", "=", 1).orderBy("line").orderBy("id").execute();
}

export async function countImportStates(
  db: DbOrTx,
  fileId: number,
  { planned: ofPlan }: { planned: boolean },
): Promise<{ status: number; count: number }[]> {
  const column = ofPlan ? "planned_status" : "status";
  const rows = await db
    .selectFrom("appointment_import")
    .select((eb) => [`${column} as state`, eb.fn.countAll<number>().as("count")])
    .where("file_id", "=", fileId)
    .where("status", ofPlan ? "is" : "is not", null)
    .groupBy(column)
    .execute();
  return rows.map(({ state, count }) => ({ status: Number(state), count: Number(count) }));
}

/**
 * The file being imported and its next rows, or null. Returns whole patients, so that one row does not change the next
 * one's decision. `together` includes rows already imported.
 */
export async function findRowsToImport(db: DbOrTx, limit: number) {
  const file = await db
    .selectFrom("appointment_file")
    .selectAll()
    .where("status", "=", fileStates.importing)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (!file) return null;
  const next = await waitingRows(db, file.id)
    .where("is_shown_again", "=", 0)
    .orderBy("line")
    .orderBy("id")
    .limit(limit)
    .execute();
  const hashes = [...new Set(next.flatMap((row) => row.cpr_hash ?? []))];
  const ofPatients =
    hashes.length === 0
      ? []
      : await db
          .selectFrom("appointment_import")
          .selectAll()
          .where("file_id", "=", file.id)
          .where("cpr_hash", "in", hashes)
          .orderBy("line")
          .orderBy("id")
          .execute();
  const together = [...next.filter((row) => row.cpr_hash === null), ...ofPatients];
  const rows = together.filter((row) => row.status === null && row.is_shown_again === 0);
  return { file, rows, together, isLast: next.length < limit };
}

export async function markImporting(tx: Tx, fileId: number, isUnattended: boolean): Promise<void> {
  const isStarted = await changesAny(
    tx
      .updateTable("appointment_file")
      .set({ status: fileStates.importing, is_unattended: isUnattended ? 1 : 0 })
      .where("id", "=", fileId)
      .where("status", "in", [fileStates.waiting, fileStates.failed]),
  );
  if (!isStarted) return;
  await tx
    .updateTable("appointment_import")
    .set({ is_shown_again: 0 })
    .where("file_id", "=", fileId)
    .where("is_shown_again", "=", 1)
    .execute();
}

export async function markFailed(tx: Tx, fileId: number): Promise<void> {
  await tx.updateTable("appointment_file").set({ status: fileStates.failed }).where("id", "=", fileId).execute();
}

export async function updateImportRow(
  tx: Tx,
  id: number,
  { decision: { status, referralId, note }, now }: { decision: Decision; now: Date },
): Promise<void> {
  await tx
    .updateTable("appointment_import")
    .set({ status, referral_id: referralId, note, import_date: toMoment(now), plan: null, asks: 0 })
    .where("id", "=", id)
    .execute();
}

export async function updateRowPlan(
  tx: Tx,
  id: number,
  { isShownAgain, ...decided }: Omit<PlannedRow, "row"> & { isShownAgain: boolean },
): Promise<void> {
  await tx
    .updateTable("appointment_import")
    .set({ ...planned(decided), is_shown_again: isShownAgain ? 1 : 0 })
    .where("id", "=", id)
    .execute();
}

/** Stores a line as a person has read it, to be judged and shown again. */
export async function replaceImportRow(tx: Tx, secrets: Secrets, id: number, row: AppointmentRow): Promise<void> {
  await tx
    .updateTable("appointment_import")
    .set({ ...sealedImport.seal(secrets, JSON.stringify(row)), plan: null, asks: 0 })
    .where("id", "=", id)
    .execute();
}

/** Updates an import's progress. At the end the file is imported, or waits for rows that must be shown again. */
export async function updateProgress(
  tx: Tx,
  fileId: number,
  { rowsDone, isEnd, now }: { rowsDone: number; isEnd: boolean; now: Date },
): Promise<void> {
  const isLeft = isEnd && (await waitingRows(tx, fileId).limit(1).executeTakeFirst()) !== undefined;
  const end = isLeft ? { status: fileStates.waiting } : { status: fileStates.imported, import_date: toMoment(now) };
  await tx
    .updateTable("appointment_file")
    .set({ rows_done: rowsDone, ...(isEnd ? end : {}) })
    .where("id", "=", fileId)
    .execute();
}

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
