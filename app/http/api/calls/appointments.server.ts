import { z } from "zod";
import { describeOutcome, importStatuses } from "~/features/appointments/import-rules";
import {
  startImport,
  trackImport,
  uploadAppointments,
  listAppointmentFiles,
} from "~/features/appointments/operations.server";
import { call, id } from "~/http/api/api-route.server";
import { momentThere } from "~/text/copenhagen.server";
import { dayOf, isoDay, listParams, moment, rowsOf } from "./call-shapes.server";
import { listImportLog } from "~/features/appointments/import-log-list.server";

const { CurrentPage, PageSize } = listParams([]);

const importEntry = z.object({
  createDate: moment,
  cpr: z.string().nullable(),
  visitId: z.int().nullable(),
  appointmentDate: moment.nullable(),
  status: z.int(),
  statusDescription: z.string(),
  externalAppointmentId: z.string(),
});

const logEntry = z.object({
  createDate: moment,
  importDate: moment.nullable(),
  user: z.string(),
  fileName: z.string(),
  status: z.int(),
  statusText: z.string(),
});

const importTexts: Readonly<Record<number, string>> = { 1: "Importeret", 2: "Mislykkedes" };

/** Treatment time in UTC; midnight in Copenhagen without a time. */
function treatmentMoment(date: string | null, time: string | null): string | null {
  if (date === null) return null;
  const [hour = 0, minute = 0] = (time ?? "").split(":").map(Number);
  return momentThere(date, hour, minute).toISOString();
}

export const appointmentCalls = [
  call("POST /Appointments/csv/upload", {
    summary:
      "Upload the day's appointment times and import them in the background; a time that may be a moved one is taken for a further one, and its outcome says so",
    scope: "appointments",
    operation: uploadAppointments,
    form: z.object({}),
    files: { AppointmentFile: "AppointmentFile" },
    answer: { schema: z.object({ fileTrackId: z.int() }) },
    async run(ask, { formKey }) {
      const { to } = await ask(uploadAppointments, { formKey });
      const fileTrackId = Number(to!.split(/\D/).pop());
      await ask(startImport, { fileId: fileTrackId, isUnattended: true });
      return { fileTrackId };
    },
  }),
  call("GET /Appointments/csv/track-process", {
    summary: "How far an import has come: status 1 done, 2 failed",
    scope: "appointments",
    operation: trackImport,
    params: { fileTrackId: id },
    answer: { schema: z.array(z.object({ progressPercentage: z.int(), status: z.int() })) },
    run: async (ask, { params }) => [await ask(trackImport, { fileId: params.fileTrackId })],
  }),
  call("GET /Appointments/csv/logs", {
    summary: "The newest files with patients' times: status 1 imported, 2 failed, any other pending",
    scope: null,
    operation: listAppointmentFiles,
    answer: { schema: z.array(logEntry) },
    async run(ask) {
      const { files } = await ask(listAppointmentFiles, {});
      return files.map((file) => ({
        createDate: file.createdAt,
        importDate: file.importedAt,
        user: file.who,
        fileName: file.fileName,
        status: file.status,
        statusText: importTexts[file.status] ?? "Afventer",
      }));
    },
  }),
  call("GET /Appointments/logs", {
    summary: "A page of what became of the imported times, latest first; From and To are days of the import",
    scope: null,
    operation: listImportLog,
    params: {
      CurrentPage,
      PageSize,
      From: isoDay.optional(),
      To: isoDay.optional(),
      VisitId: id.optional(),
      externalAppointmentId: z.string().optional(),
      status: z.int().optional(),
      Cpr: z.string().optional(),
    },
    names: {
      dateFrom: "From",
      dateTo: "To",
      visitNumber: "VisitId",
      cpr: "Cpr",
      externalCode: "externalAppointmentId",
    },
    answer: {
      schema: z.object({
        entities: z.array(importEntry),
        totalEntities: z.int(),
        totalPages: z.int(),
        statuses: z.array(z.object({ item1: z.int(), item2: z.string() })),
      }),
    },
    async run(ask, { params }) {
      const log = await ask(listImportLog, {
        page: params.CurrentPage ?? 1,
        pageSize: params.PageSize,
        countsAll: true,
        rowsOnly: true,
        filter: {
          dateFrom: params.From && dayOf(params.From),
          dateTo: params.To && dayOf(params.To),
          visitNumber: params.VisitId,
          externalCode: params.externalAppointmentId,
          status: params.status,
          cpr: params.Cpr,
        },
      });
      return {
        entities: rowsOf(log, params.CurrentPage).map((row) => ({
          createDate: row.importedAt,
          cpr: row.cpr,
          visitId: row.referralId,
          appointmentDate: treatmentMoment(row.date, row.time),
          status: row.status,
          statusDescription: describeOutcome(row.status, row.note),
          externalAppointmentId: row.code,
        })),
        totalEntities: log.total,
        totalPages: log.pageCount,
        statuses: importStatuses.map(({ value, label }) => ({ item1: value, item2: label })),
      };
    },
  }),
];
