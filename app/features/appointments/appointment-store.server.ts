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
  referralId,
  plannedStatus: status,
  plan: JSON.stringify({ lineId, asks, surgeons, doubts, state } satisfies RowPlan),
  asks: asks.length > 0 || surgeons.length > 1 || doubts.length > 0,
  note,
});

export const planOf = (row: { plan: string | null }): RowPlan | null =>
  row.plan === null ? null : (JSON.parse(row.plan) as RowPlan);

/** The decision the dry run showed; null for rows older than stored decisions. */
export function shownDecision(
  row: Pick<Selectable<Database["appointmentImport"]>, "plan" | "plannedStatus" | "referralId" | "note">,
): Decision | null {
  const plan = planOf(row);
  if (plan === null) return null;
  const { lineId, asks, surgeons = [], doubts = [] } = plan;
  return { status: row.plannedStatus, referralId: row.referralId, lineId, asks, surgeons, doubts, note: row.note };
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
    .insertInto("appointmentFile")
    .values({
      userId,
      fileName,
      status: fileStates.arriving,
      statusText: null,
      rowCount: rows.length,
      rowsDone: 0,
      createDate: toMoment(now),
      importDate: null,
      firstDay: covered.from,
      lastDay: covered.to,
    })
    .executeTakeFirstOrThrow();
  const fileId = Number(file.insertId);
  await mapInSlices(rows, BATCH_SIZE, async (slice) => {
    await db
      .insertInto("appointmentImport")
      .values(
        slice.map(({ row, ...decided }) => ({
          fileId,
          line: row.line,
          ...sealedImport.seal(secrets, JSON.stringify(row)),
          cprHash: row.cpr === null ? null : secrets.lookup("cpr", row.cpr),
          cpr6: row.cpr?.slice(0, 6) ?? null,
          operationDate: row.date,
          operationTime: row.time,
          externalCode: row.code,
          ...planned(decided),
          status: null,
          importDate: null,
        })),
      )
      .execute();
    return [];
  });
  return fileId;
}

export async function markArrived(tx: Tx, id: number): Promise<void> {
  await tx.updateTable("appointmentFile").set({ status: fileStates.waiting }).where("id", "=", id).execute();
}

const arrivedFiles = (db: DbOrTx) =>
  db.selectFrom("appointmentFile").where("appointmentFile.status", "!=", fileStates.arriving);

export function findAppointmentFile(db: DbOrTx, id: number) {
  return arrivedFiles(db).selectAll().where("id", "=", id).executeTakeFirst();
}

export function lockAppointmentFile(tx: Tx, id: number) {
  return forUpdate(tx, arrivedFiles(tx).selectAll().where("id", "=", id)).executeTakeFirst();
}

export function findAppointmentFiles(db: DbOrTx) {
  return arrivedFiles(db)
    .leftJoin("user", "user.id", "appointmentFile.userId")
    .selectAll("appointmentFile")
    .select(["user.firstName", "user.lastName"])
    .orderBy("appointmentFile.id", "desc")
    .limit(20)
    .execute();
}

export function findImportRows(db: DbOrTx, fileId: number, { offset, limit }: { offset: number; limit: number }) {
  return db
    .selectFrom("appointmentImport")
    .selectAll()
    .where("fileId", "=", fileId)
    .orderBy("isShownAgain", "desc")
    .orderBy("line")
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();
}

const waitingRows = (db: DbOrTx, fileId: number) =>
  db.selectFrom("appointmentImport").selectAll().where("fileId", "=", fileId).where("status", "is", null);

/** Rows where a person must choose between a moved and a further appointment, or between surgeons of one name. */
export function findQuestions(db: DbOrTx, fileId: number) {
  return waitingRows(db, fileId).where("asks", "=", true).orderBy("line").orderBy("id").execute();
}

export async function countImportStates(
  db: DbOrTx,
  fileId: number,
  { planned: ofPlan }: { planned: boolean },
): Promise<{ status: number; count: number }[]> {
  const column = ofPlan ? "plannedStatus" : "status";
  const rows = await db
    .selectFrom("appointmentImport")
    .select((eb) => [`${column} as state`, eb.fn.countAll<number>().as("count")])
    .where("fileId", "=", fileId)
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
    .selectFrom("appointmentFile")
    .selectAll()
    .where("status", "=", fileStates.importing)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (!file) return null;
  const next = await waitingRows(db, file.id)
    .where("isShownAgain", "=", false)
    .orderBy("line")
    .orderBy("id")
    .limit(limit)
    .execute();
  const hashes = [...new Set(next.flatMap((row) => row.cprHash ?? []))];
  const ofPatients =
    hashes.length === 0
      ? []
      : await db
          .selectFrom("appointmentImport")
          .selectAll()
          .where("fileId", "=", file.id)
          .where("cprHash", "in", hashes)
          .orderBy("line")
          .orderBy("id")
          .execute();
  const together = [...next.filter((row) => row.cprHash === null), ...ofPatients];
  const rows = together.filter((row) => row.status === null && !row.isShownAgain);
  return { file, rows, together, isLast: next.length < limit };
}

export async function markImporting(tx: Tx, fileId: number, isUnattended: boolean): Promise<void> {
  const isStarted = await changesAny(
    tx
      .updateTable("appointmentFile")
      .set({ status: fileStates.importing, isUnattended: isUnattended })
      .where("id", "=", fileId)
      .where("status", "in", [fileStates.waiting, fileStates.failed]),
  );
  if (!isStarted) return;
  await tx
    .updateTable("appointmentImport")
    .set({ isShownAgain: false })
    .where("fileId", "=", fileId)
    .where("isShownAgain", "=", true)
    .execute();
}

export async function markFailed(tx: Tx, fileId: number): Promise<void> {
  await tx.updateTable("appointmentFile").set({ status: fileStates.failed }).where("id", "=", fileId).execute();
}

export async function updateImportRow(
  tx: Tx,
  id: number,
  { decision: { status, referralId, note }, now }: { decision: Decision; now: Date },
): Promise<void> {
  await tx
    .updateTable("appointmentImport")
    .set({ status, referralId, note, importDate: toMoment(now), plan: null, asks: false })
    .where("id", "=", id)
    .execute();
}

export async function updateRowPlan(
  tx: Tx,
  id: number,
  { isShownAgain, ...decided }: Omit<PlannedRow, "row"> & { isShownAgain: boolean },
): Promise<void> {
  await tx
    .updateTable("appointmentImport")
    .set({ ...planned(decided), isShownAgain: isShownAgain })
    .where("id", "=", id)
    .execute();
}

/** Stores a line as a person has read it, to be judged and shown again. */
export async function replaceImportRow(tx: Tx, secrets: Secrets, id: number, row: AppointmentRow): Promise<void> {
  await tx
    .updateTable("appointmentImport")
    .set({ ...sealedImport.seal(secrets, JSON.stringify(row)), plan: null, asks: false })
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
  const end = isLeft ? { status: fileStates.waiting } : { status: fileStates.imported, importDate: toMoment(now) };
  await tx
    .updateTable("appointmentFile")
    .set({ rowsDone, ...(isEnd ? end : {}) })
    .where("id", "=", fileId)
    .execute();
}

export async function isImportedSince(db: DbOrTx, moment: string): Promise<boolean> {
  return (
    (await db
      .selectFrom("appointmentFile")
      .select("id")
      .where("importDate", ">=", moment)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}
