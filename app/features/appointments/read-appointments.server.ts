import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { read, wholeNumber } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import type { Portal } from "~/portal.server";
import { paths } from "~/paths";
import { isWorkday, startOfDay } from "~/text/copenhagen.server";
import { localDate, localTime } from "~/text/dates";
import { fullName } from "~/text/names";
import { findSurgeonChoices } from "~/features/directory/operations.server";
import {
  countImportStates,
  findAppointmentFile,
  findAppointmentFiles,
  findImportRows,
  findQuestions,
  isImportedSince,
  planOf,
} from "./appointment-store.server";
import { APPOINTMENT_ALERT, openImportRow, strangersIn } from "./import-appointments.server";
import { fileStates, FILE_UNKNOWN, surgeonQuestionName } from "./import-rules";

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
        createdAt: file.create_date,
        importedAt: file.import_date,
        who: fullName({ first_name: file.first_name ?? "", last_name: file.last_name ?? "" }),
        fileName: file.file_name,
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
    const pageCount = Math.max(1, Math.ceil(file.row_count / PAGE));
    const shown = Math.min(page, pageCount);
    const rows = await findImportRows(db, fileId, { offset: (shown - 1) * PAGE, limit: PAGE });
    const isWaiting = file.status === fileStates.waiting;
    const canStart = isWaiting ? file.user_id === person.id : file.status === fileStates.failed;
    const questions = canStart ? await findQuestions(db, fileId) : [];
    const named = [...rows, ...questions];
    auditRead(named.flatMap((row) => row.referral_id ?? []));
    auditStrangers(strangersIn(portal.secrets, named));
    const counts = await countImportStates(db, fileId, { planned: isWaiting });
    const valuesOf = (row: (typeof rows)[number]) => openImportRow(portal.secrets, row);
    return {
      id: file.id,
      fileName: file.file_name,
      isWaiting,
      canStart,
      isImporting: file.status === fileStates.importing,
      isFailed: file.status === fileStates.failed,
      importedAt: file.import_date,
      rowsDone: file.rows_done,
      rowCount: file.row_count,
      page: shown,
      pageCount,
      counts,
      surgeonQuestions: await findSurgeonQuestions(db, questions),
      questions: questions
        .filter((row) => planOf(row)!.asks.length > 0)
        .map((row) => ({
          rowId: row.id,
          line: row.line,
          cpr: valuesOf(row).cpr ?? null,
          name: valuesOf(row).name ?? "",
          date: row.operation_date,
          time: row.operation_time,
          code: row.external_code,
          asks: planOf(row)?.asks ?? [],
        })),
      rows: rows.map((row) => {
        const values = valuesOf(row);
        return {
          id: row.id,
          line: row.line,
          cpr: values.cpr ?? (values.cprText || null),
          name: values.name ?? "",
          date: row.operation_date,
          time: row.operation_time,
          code: row.external_code,
          referralId: row.referral_id,
          isDone: row.status !== null,
          status: row.status ?? row.planned_status,
          note: row.note,
          isShownAgain: row.is_shown_again === 1,
          asks: row.asks === 1,
        };
      }),
    };
  },
});

/** Surgeons between whom a person must choose, with the number of lines that may mean them. */
async function findSurgeonQuestions(db: DbOrTx, questions: Awaited<ReturnType<typeof findQuestions>>) {
  const asked = questions.flatMap((row) => {
    const surgeons = planOf(row)!.surgeons ?? [];
    return surgeons.length > 1 ? [surgeons] : [];
  });
  if (asked.length === 0) return [];
  const known = await findSurgeonChoices(db, null);
  return [...new Set(asked.map(surgeonQuestionName))].map((name) => {
    const same = asked.filter((ids) => surgeonQuestionName(ids) === name);
    return { name, lines: same.length, surgeons: known.filter(({ value }) => same[0]!.includes(value)) };
  });
}

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
