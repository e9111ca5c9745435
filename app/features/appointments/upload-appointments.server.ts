import { z } from "zod";
import { external } from "~/access/operation.server";
import { refusedFileTexts } from "~/access/caller";
import { Refusal } from "~/access/refusal";
import { uploadOf } from "~/files/file-rules";
import { claimStagedFiles, findStagedFiles, readStagedFile } from "~/files/staging/staged-upload-store.server";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import { paths } from "~/paths";
import { localDate } from "~/text/dates";
import { parseAppointmentCsv } from "./appointment-csv.server";
import { insertAppointmentFile } from "./appointment-store.server";
import { readImportContext } from "./import-context.server";
import { coveredDays, judgeLines } from "./judge-lines";

/** The sentence for a file that could not be taken. */
export const UPLOAD_FAILED = "Eksport csv mislykkedes.";
const FILE_FIELD = "AppointmentFile";

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
    const parsed = parseAppointmentCsv(await readStagedFile(db, portal.files, file));
    if ("error" in parsed)
      throw new Refusal("invalid", {
        text: `${UPLOAD_FAILED} ${parsed.error}`,
        fields: { AppointmentFile: [parsed.error] },
      });
    const known = await readImportContext(db, actor, portal.secrets, parsed.rows, localDate(now), { isHeld: false });
    const covered = coveredDays(parsed.rows);
    const decided = judgeLines(parsed.rows, known, covered);
    const planned = parsed.rows.map((row) => ({ row, decision: decided.get(row)!, state: known.stateOf(row) }));
    return { fileName: file.fileName, covered, planned };
  },
  async run({ tx, person, portal, now, auditChange }, { formKey }, { fileName, covered, planned }) {
    const staged = await claimStagedFiles(tx, { ownerId: person.id, formKey, fields: [FILE_FIELD] }, now);
    await discardStoredFiles(
      tx,
      staged.map(({ storedFileId }) => storedFileId),
      now,
    );
    const id = await insertAppointmentFile(tx, portal.secrets, {
      userId: person.id,
      fileName,
      rows: planned,
      covered,
      now,
    });
    auditChange([], `appointment file ${id}, ${planned.length} rows`);
    return { to: paths.appointmentFile(id) };
  },
});
