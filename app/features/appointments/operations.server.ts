import { z } from "zod";
import { change, external, read, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { paths } from "~/paths";
import { localDate, toMoment } from "~/text/dates";
import { importProgress, readImportContext } from "./import-appointments.server";
import {
  EXTRA,
  FILE_UNKNOWN,
  fileStates,
  IMPORTED,
  NO_SURGEON,
  PLAN_DAYS,
  questionName,
  showPlanned,
  surgeonQuestionName,
  UPDATED,
} from "./import-rules";
import { subDays } from "date-fns";
import {
  findQuestions,
  insertAppointmentFile,
  lockAppointmentFile,
  markArrived,
  markImporting,
  planOf,
  shownDecision,
  updateRowPlan,
} from "./appointment-store.server";
import { coveredDays, type Decision, decideUnasked, judgeInSlices } from "./judge-lines";
import { refusedFileTexts } from "~/access/caller";
import { readCsvFile } from "~/files/csv-job";
import { uploadOf } from "~/files/file-rules";
import { mapInSlices } from "~/files/reading/in-slices";
import { claimStagedFiles, findStagedFiles, withStagedFile } from "~/files/staging/staged-upload-store.server";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import { appointmentCsv, rowOf } from "./appointment-csv.server";

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

type Question = Awaited<ReturnType<typeof findQuestions>>[number];

/**
 * 'Importér' or 'Prøv igen': lets the worker carry out the remaining rows as shown and answered. Only the uploader may
 * start it; pressing twice starts it once. `isUnattended` (API): possible moves become further appointments. Throws
 * `notInScope`, `notAllowed`, `conflict` if the dry run is too old, and `invalid` with unanswered questions.
 */
export const startImport = change({
  name: "startImport",
  permission: "appointments.import",
  input: z.object({ fileId: wholeNumber, isUnattended: z.boolean().default(false) }).catchall(z.unknown()),
  async run({ tx, person, now, auditChange }, { fileId, isUnattended, ...answers }) {
    const file = await lockAppointmentFile(tx, fileId);
    if (!file) throw new Refusal("notInScope", { text: FILE_UNKNOWN });
    if (file.status === fileStates.waiting && file.user_id !== person.id)
      throw new Refusal("notAllowed", {
        text: "Prøvekørslen er en andens. Upload filen selv, hvis du vil importere den.",
      });
    const isStartable = file.status === fileStates.waiting || file.status === fileStates.failed;
    if (isStartable && file.create_date < toMoment(subDays(now, PLAN_DAYS)))
      throw new Refusal("conflict", {
        text: "Prøvekørslen er mere end et døgn gammel, så intet er importeret. Upload dagens fil.",
      });
    if (isStartable) {
      const questions = await findQuestions(tx, fileId);
      const answered = isUnattended ? questions.map(answeredByDefault) : readAnswers(questions, answers);
      for (const { row, ...decided } of answered) await updateRowPlan(tx, row.id, { ...decided, isShownAgain: false });
    }
    await markImporting(tx, fileId, isUnattended);
    auditChange([], `appointment file ${fileId}`);
    return { to: paths.appointmentFile(fileId) };
  },
});

function readAnswers(questions: Question[], answers: Record<string, unknown>) {
  const errors: Record<string, string[]> = {};
  const takenBy = new Map<number, Question>();
  const chooseTime = (row: Question, asked: Decision): Decision => {
    if (asked.asks.length === 0) return asked;
    const chosen = answers[questionName(row.id)];
    const moved = asked.asks.find(({ id }) => String(id) === chosen);
    const before = moved && takenBy.get(moved.id);
    if (chosen !== EXTRA && !moved)
      errors[questionName(row.id)] = [`Linje ${row.line}: vælg, om tiden er flyttet eller ekstra.`];
    if (before) errors[questionName(row.id)] = [`Linje ${row.line}: tiden er allerede valgt på linje ${before.line}.`];
    if (!moved) return { ...asked, asks: [], status: IMPORTED, note: "Valgt: en ekstra tid." };
    takenBy.set(moved.id, row);
    const note = `Valgt: flyttet fra ${showPlanned(moved)}.`;
    return { ...asked, asks: [], status: UPDATED, lineId: moved.id, note };
  };
  const chooseSurgeon = ({ surgeons }: Decision): Decision["surgeons"] => {
    if (surgeons.length < 2) return surgeons;
    const name = surgeonQuestionName(surgeons);
    const chosen = surgeons.filter((id) => String(id) === answers[name]);
    if (chosen.length === 0 && answers[name] !== NO_SURGEON) errors[name] = ["Vælg, hvilken kirurg filen mener."];
    return chosen;
  };
  const answered = questions.map((row) => {
    const asked = shownDecision(row)!;
    return { row, decision: { ...chooseTime(row, asked), surgeons: chooseSurgeon(asked) }, state: planOf(row)!.state };
  });
  if (Object.keys(errors).length > 0)
    throw new Refusal("invalid", { text: "Intet er importeret: svar på det, filen ikke siger.", fields: errors });
  return answered;
}

const answeredByDefault = (row: Question) => ({
  row,
  decision: decideUnasked(shownDecision(row)!),
  state: planOf(row)!.state,
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
  input: z.object({ formKey: z.string().max(64) }),
  async prepare({ portal, db, actor, person, caller, now }, { formKey }) {
    const fields = refusedFileTexts(caller.files);
    if (Object.keys(fields).length > 0) throw new Refusal("fileRefused", { fields });
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
    const choices = rows.reduce((sum, row) => sum + decided.get(row)!.asks.length, 0);
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
    const staged = await claimStagedFiles(tx, { ownerId: person.id, formKey, fields: [FILE_FIELD] }, now);
    await discardStoredFiles(
      tx,
      staged.map(({ storedFileId }) => storedFileId),
      now,
    );
    await markArrived(tx, id);
    auditChange([], `appointment file ${id}, ${count} rows`);
    return { to: paths.appointmentFile(id) };
  },
});
