import { z } from "zod";
import { subDays } from "date-fns";
import { change, external, read, wholeNumber, keyedForm } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { paths } from "~/paths";
import { localDate, toMoment, localTime } from "~/text/dates";
import {
  importProgress,
  readImportContext,
  APPOINTMENT_ALERT,
  openImportRow,
  strangersIn,
} from "./import-appointments.server";
import { FILE_UNKNOWN, fileStates, PLAN_DAYS } from "./import-rules";
import {
  findQuestions,
  insertAppointmentFile,
  lockAppointmentFile,
  markArrived,
  markImporting,
  planOf,
  replaceImportRow,
  shownDecision,
  updateRowPlan,
  countImportStates,
  findAppointmentFile,
  findAppointmentFiles,
  findImportRows,
  isImportedSince,
} from "./appointment-store.server";
import { coveredDays, judgeInSlices } from "./judge-lines";
import {
  answeredByDefault,
  cancelledRow,
  doubtQuestionsOf,
  findSurgeonQuestions,
  readAnswers,
} from "./import-questions.server";
import { refuseBadFiles } from "~/access/caller";
import { readCsvFile } from "~/files/csv-job";
import { uploadOf } from "~/files/file-rules";
import { mapInSlices } from "~/files/reading/in-slices";
import { findStagedFiles, withStagedFile, claimAndDiscard } from "~/files/staging/staged-upload-store.server";
import { appointmentCsv, rowOf } from "./appointment-csv.server";
import { findPatientNames } from "~/features/referrals/store/treatment-store.server";
import { referralIdsOf } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import type { Portal } from "~/portal.server";
import { isWorkday, startOfDay } from "~/text/copenhagen.server";
import { joinedName } from "~/text/names";

/** How far the import of a file has come (GET /Appointments/csv/track-process). Throws `notInScope`. */
export const trackImport = read({
  name: "trackImport",
  permission: "appointments.import",
  input: z.object({ fileId: z.number().int() }),
  async run({ db }, { fileId }) {
    const progress = await importProgress(db, fileId);
    if (!progress) throw new Refusal("notInScope", { text: FILE_UNKNOWN });
    return progress;
  },
});

/**
 * 'Importér' or 'Prøv igen': lets the worker carry out the remaining rows as shown and answered. Only the uploader may
 * start it; pressing twice starts it once. `isUnattended` (API): possible moves become further appointments. Throws
 * `notInScope`, `notAllowed`, `conflict` if the dry run is too old, and `invalid` with unanswered questions.
 */
export const startImport = change({
  name: "startImport",
  permission: "appointments.import",
  input: z.object({ fileId: wholeNumber, isUnattended: z.boolean().default(false) }).catchall(z.unknown()),
  async run({ tx, portal, person, now, auditChange }, { fileId, isUnattended, ...answers }) {
    const file = await lockAppointmentFile(tx, fileId);
    if (!file) throw new Refusal("notInScope", { text: FILE_UNKNOWN });
    if (file.status === fileStates.waiting && file.userId !== person.id)
      throw new Refusal("notAllowed", {
        text: "Prøvekørslen er en andens. Upload filen selv, hvis du vil importere den.",
      });
    const isStartable = file.status === fileStates.waiting || file.status === fileStates.failed;
    if (isStartable && file.createDate < toMoment(subDays(now, PLAN_DAYS)))
      throw new Refusal("conflict", {
        text: "Prøvekørslen er mere end et døgn gammel, så intet er importeret. Upload dagens fil.",
      });
    if (isStartable) {
      const questions = await findQuestions(tx, fileId);
      const answered = isUnattended
        ? questions.map(answeredByDefault)
        : readAnswers(portal.secrets, questions, answers);
      for (const { row, ...decided } of answered) await updateRowPlan(tx, row.id, { ...decided, isShownAgain: false });
      for (const { row, isCancelled } of answered)
        if (isCancelled)
          await replaceImportRow(tx, portal.secrets, row.id, cancelledRow(openImportRow(portal.secrets, row)));
    }
    await markImporting(tx, fileId, isUnattended);
    auditChange([], `appointment file ${fileId}`);
    return { to: paths.appointmentFile(fileId) };
  },
});

const UPLOAD_FAILED = "Eksport csv mislykkedes.";
const FILE_FIELD = "AppointmentFile";
const ROWS_PER_SLICE = 200;
/**
 * Limit for all questions of a file, since one page shows them, one form answers them, and one transaction stores them.
 */
const MAX_CHOICES = 1000;
const TOO_MANY_CHOICES =
  "Filen har for mange tider, som kan være flyttede: portalen ville spørge om mere, end nogen kan svare på. Del filen i flere.";

/**
 * Takes the daily file of patients' times (POST /Appointments/csv/upload) and keeps what each row will do; nothing is
 * imported before 'Importér'. Answers `data.fileTrackId`. Throws `fileRefused` and `invalid`.
 */
export const uploadAppointments = external({
  name: "uploadAppointments",
  permission: "appointments.import",
  idempotent: true,
  uploads: { [FILE_FIELD]: uploadOf("appointments") },
  input: keyedForm,
  async prepare({ portal, db, actor, person, caller, now }, { formKey }) {
    refuseBadFiles(caller);
    const file = (await findStagedFiles(db, person.id, formKey, FILE_FIELD)).at(-1);
    if (!file) throw new Refusal("invalid", { fields: { AppointmentFile: ["Vælg en CSV-fil."] } });
    const csv = await withStagedFile(db, portal.files, file, (path) =>
      readCsvFile(portal.readers, path, appointmentCsv, person),
    );
    if ("error" in csv)
      throw new Refusal("invalid", {
        text: `${UPLOAD_FAILED} ${csv.error}`,
        fields: { AppointmentFile: [csv.error] },
      });
    const rows = await mapInSlices(csv.rows, ROWS_PER_SLICE, (slice) => slice.map(rowOf));
    const known = await readImportContext(db, actor, portal.secrets, rows, localDate(now), { isHeld: false });
    const covered = coveredDays(rows);
    const decided = await judgeInSlices(rows, known, covered);
    const choices = rows.reduce((sum, row) => {
      const { asks, doubts } = decided.get(row)!;
      return sum + asks.length + Number(doubts.includes("name"));
    }, 0);
    if (choices > MAX_CHOICES)
      throw new Refusal("invalid", {
        text: `${UPLOAD_FAILED} ${TOO_MANY_CHOICES}`,
        fields: { AppointmentFile: [TOO_MANY_CHOICES] },
      });
    const planned = await mapInSlices(rows, ROWS_PER_SLICE, (slice) =>
      slice.map((row) => ({ row, decision: decided.get(row)!, state: known.stateOf(row) })),
    );
    const { fileName } = file;
    return {
      id: await insertAppointmentFile(db, portal.secrets, { userId: person.id, fileName, rows: planned, covered, now }),
      count: rows.length,
    };
  },
  async run({ tx, person, now, auditChange }, { formKey }, { id, count }) {
    await claimAndDiscard(tx, { ownerId: person.id, formKey, fields: [FILE_FIELD] }, now);
    await markArrived(tx, id);
    auditChange([], `appointment file ${id}, ${count} rows`);
    return { to: paths.appointmentFile(id) };
  },
});

const PAGE = 50;

/** The newest 20 files. Moments are UTC; `status` is 0 awaiting 'Importér', 1 imported, 2 failed, 3 importing. */
export const listAppointmentFiles = read({
  name: "listAppointmentFiles",
  permission: "appointments.import",
  async run({ db }) {
    const files = await findAppointmentFiles(db);
    return {
      files: files.map((file) => ({
        id: file.id,
        createdAt: file.createDate,
        importedAt: file.importDate,
        who: joinedName(file.firstName, file.lastName) ?? "",
        fileName: file.fileName,
        status: file.status,
      })),
    };
  },
});

/** One file with each row's planned or actual effect. Throws `notInScope`. */
export const readAppointmentFile = read({
  name: "readAppointmentFile",
  permission: "appointments.import",
  input: z.object({
    fileId: wholeNumber.positive(),
    page: wholeNumber.min(1).max(1000).catch(1),
  }),
  async run({ db, portal, person, auditRead, auditStrangers }, { fileId, page }) {
    const file = await findAppointmentFile(db, fileId);
    if (!file) throw new Refusal("notInScope", { text: FILE_UNKNOWN });
    const pageCount = Math.max(1, Math.ceil(file.rowCount / PAGE));
    const shown = Math.min(page, pageCount);
    const rows = await findImportRows(db, fileId, { offset: (shown - 1) * PAGE, limit: PAGE });
    const isWaiting = file.status === fileStates.waiting;
    const canStart = isWaiting ? file.userId === person.id : file.status === fileStates.failed;
    const questions = canStart ? await findQuestions(db, fileId) : [];
    const names = await findPatientNames(db, referralIdsOf([...rows, ...questions]));
    const named = [...rows, ...questions];
    auditRead(referralIdsOf(named));
    auditStrangers(strangersIn(portal.secrets, named));
    const counts = await countImportStates(db, fileId, { planned: isWaiting });
    const valuesOf = (row: (typeof rows)[number]) => openImportRow(portal.secrets, row);
    return {
      id: file.id,
      fileName: file.fileName,
      isWaiting,
      canStart,
      isImporting: file.status === fileStates.importing,
      isFailed: file.status === fileStates.failed,
      importedAt: file.importDate,
      rowsDone: file.rowsDone,
      rowCount: file.rowCount,
      page: shown,
      pageCount,
      counts,
      surgeonQuestions: await findSurgeonQuestions(db, questions),
      doubtQuestions: doubtQuestionsOf(
        questions.map((row) => ({ ...valuesOf(row), id: row.id, doubts: shownDecision(row)!.doubts })),
        (id) => names.get(questions.find((row) => row.id === id)?.referralId ?? 0) ?? null,
      ),
      questions: questions
        .filter((row) => planOf(row)!.asks.length > 0)
        .map((row) => ({
          rowId: row.id,
          line: row.line,
          cpr: valuesOf(row).cpr ?? null,
          name: valuesOf(row).name ?? "",
          date: row.operationDate,
          time: row.operationTime,
          code: row.externalCode,
          asks: planOf(row)?.asks ?? [],
        })),
      rows: rows.map((row) => {
        const values = valuesOf(row);
        return {
          id: row.id,
          line: row.line,
          cpr: values.cpr ?? (values.cprText || null),
          name: values.name ?? "",
          /** The patient of the referral, whose name the file may write in another way. */
          referralName: names.get(row.referralId ?? 0) ?? null,
          date: row.operationDate,
          time: row.operationTime,
          code: row.externalCode,
          referralId: row.referralId,
          isDone: row.status !== null,
          status: row.status ?? row.plannedStatus,
          note: row.note,
          isShownAgain: row.isShownAgain,
          asks: row.asks,
        };
      }),
    };
  },
});

const EXPECTED_BY = "10:00";

/**
 * Whether staff miss the file of a weekday on which none was imported: `late` after ten, when the alert
 * `showAppointmentFileNotUploadedAlert` is shown. Null for everybody else.
 */
export async function missingAppointmentFile(
  { cache, db }: Pick<Portal, "cache" | "db">,
  person: Person,
  now: Date,
): Promise<"awaited" | "late" | null> {
  if (!can(person, "appointments.import") || !isWorkday(now)) return null;
  const today = localDate(now);
  const isThere = await cache.get(`${APPOINTMENT_ALERT} ${today}`, () => isImportedSince(db, startOfDay(today)));
  if (isThere) return null;
  return localTime(now) < EXPECTED_BY ? "awaited" : "late";
}

export const redirectToUpload = read({
  name: "redirectToUpload",
  permission: "public",
  async run() {
    return { redirectTo: paths.appointments };
  },
});
