import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { change, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { sealedImport } from "~/access/sealed-column.server";
import { writePlanLine } from "~/features/referrals/details/treatment-plan-lines.server";
import { paths } from "~/paths";
import { localDate } from "~/text/dates";
import type { AppointmentRow } from "./appointment-csv.server";
import {
  findAppointmentFile,
  findRowsToImport,
  markFailed,
  markImporting,
  updateImportRow,
  updateProgress,
} from "./appointment-store.server";
import { decideRow, readImportContext } from "./import-context.server";
import { CANCELLED, IMPORTED, UPDATED } from "./import-rules";

/** Rows per transaction: short enough not to hold up other writers. */
const BATCH_SIZE = 100;
export const APPOINTMENT_ALERT = "appointment file missing";

/** 'Importér', or 'Prøv igen' of one that failed: lets the worker import the rows that are left, each decided when it is imported. Pressing it twice starts it once. Throws `notInScope`. */
export const startImport = change({
  name: "startImport",
  permission: "appointments.import",
  input: z.object({ fileId: z.coerce.number().int() }),
  async run({ tx, auditChange }, { fileId }) {
    if (!(await findAppointmentFile(tx, fileId))) throw new Refusal("notInScope");
    await markImporting(tx, fileId);
    auditChange([], `appointment file ${fileId}`);
    return { to: paths.appointmentFile(fileId) };
  },
});

/** Whether rows wait to be imported; looked at before a transaction is opened for them. */
export const readRowsWaiting = read({
  name: "appointments.readWaiting",
  permission: "system",
  input: z.object({}),
  async run({ db }) {
    return { isWaiting: (await findRowsToImport(db, 1)) !== null };
  },
});

/** The worker's step: the next rows of the file being imported, or its end. Each row is imported once, also when the process is killed. */
export const importRows = change({
  name: "appointments.importRows",
  permission: "system",
  input: z.object({}),
  async run(context) {
    const { tx, portal, actor, now, auditChange, afterCommit } = context;
    const waiting = await findRowsToImport(tx, BATCH_SIZE);
    if (!waiting) return { data: { imported: 0 } };
    const { file, rows } = waiting;
    const parsed = rows.flatMap((row) => readRow(sealedImport.open(portal.secrets, row)));
    const known = await readImportContext(tx, actor, portal.secrets, parsed, localDate(now));
    for (const [index, { id }] of rows.entries()) {
      const row = parsed[index]!;
      const decision = decideRow(row, known);
      if ([IMPORTED, UPDATED, CANCELLED].includes(decision.status)) {
        const referral = known.plans.get(row.cpr!)!.find(({ referralId }) => referralId === decision.referralId)!;
        const treatment = known.treatmentOf(row.code)!;
        await writePlanLine(context, {
          referral,
          lineId: decision.lineId,
          date: row.date!,
          time: row.time,
          durationMinutes: row.durationMinutes,
          treatment: treatment.name,
          code: row.code,
          treatmentTypeId: treatment.id,
          isCancelled: row.isCancelled,
          treatmentTypeOf: (code) => known.treatmentOf(code)?.id ?? null,
          surgeonId: row.isCancelled ? null : known.surgeonNamed(row.surgeonName),
          modifierId: file.user_id,
          today: known.today,
        });
        auditChange([referral.referralId]);
      }
      await updateImportRow(tx, id, { status: decision.status, referralId: decision.referralId, now });
    }
    const isEnd = rows.length < BATCH_SIZE;
    await updateProgress(tx, file.id, { rowsDone: file.rows_done + rows.length, isEnd, now });
    if (isEnd) afterCommit(() => portal.cache.invalidate(APPOINTMENT_ALERT));
    return { data: { imported: rows.length } };
  },
});

/**
 * Ends an import that an unexpected error stopped (status 2): what it has imported stays, and staff may try again. Without it
 * the worker would meet the same error every second, and the page would say 'Importeres' for ever.
 */
export const failImport = change({
  name: "appointments.failImport",
  permission: "system",
  input: z.object({}),
  async run({ tx }) {
    const waiting = await findRowsToImport(tx, 1);
    if (waiting) await markFailed(tx, waiting.file.id);
    return {};
  },
});

/** A row that no key can decrypt any more counts as one without a CPR number: it is reported, and the import continues. */
function readRow(plain: string | null): AppointmentRow {
  if (plain !== null) return JSON.parse(plain) as AppointmentRow;
  return {
    line: 0,
    cprText: "",
    cpr: null,
    name: "",
    date: null,
    time: null,
    durationMinutes: null,
    code: "",
    surgeonName: "",
    isCancelled: false,
  };
}

/** How far the import of a file has come (GET /Appointments/csv/track-process): status 1 done, 2 failed. */
export async function importProgress(
  db: DbOrTx,
  fileId: number,
): Promise<{ progressPercentage: number; status: number } | null> {
  const file = await findAppointmentFile(db, fileId);
  if (!file) return null;
  return {
    progressPercentage: file.row_count === 0 ? 100 : Math.floor((file.rows_done / file.row_count) * 100),
    status: file.status,
  };
}
