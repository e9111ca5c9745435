import { z } from "zod";
import { external } from "~/access/operation.server";
import { refusedFileTexts } from "~/access/caller";
import { Refusal } from "~/access/refusal";
import { readCsvFile } from "~/files/csv-job";
import { uploadOf } from "~/files/file-rules";
import { mapInSlices } from "~/files/reading/in-slices";
import { claimStagedFiles, findStagedFiles, withStagedFile } from "~/files/staging/staged-upload-store.server";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import { paths } from "~/paths";
import { localDate } from "~/text/dates";
import { appointmentCsv, rowOf } from "./appointment-csv.server";
import { insertAppointmentFile, markArrived } from "./appointment-store.server";
import { readImportContext } from "./import-context.server";
import { coveredDays, judgeInSlices } from "./judge-lines";

export const UPLOAD_FAILED = "Eksport csv mislykkedes.";
const FILE_FIELD = "AppointmentFile";
const ROWS_PER_SLICE = 200;
/** Of all questions of a file: one page draws them, one form answers them, and one transaction keeps the answers. */
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
