import { z } from "zod";
import { localDate } from "~/text/dates";
import { Refusal } from "~/access/refusal";
import { type ApiRequest, id } from "../api-route.server";
import { MAX_PAGE_SIZE, type ListSort, type SortColumn, sortParam } from "~/lists/list";
import type { OverviewFilter } from "~/features/referrals/list/filter-sql.server";

export const moment = z.iso.datetime();
export const text = z.string().nullable();

/** A day `YYYY-MM-DD`, or a moment with zone, converted to its Copenhagen day. */
export const isoDay = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "Skriv datoen som ISO 8601, fx 2026-12-01.",
});

export const dayOf = (sent: string): string => (sent.length === 10 ? sent : localDate(new Date(sent)));

export const dayParams = { DateFrom: isoDay.optional(), DateTo: isoDay.optional() };
export const dayNames = { dateFrom: "DateFrom", dateTo: "DateTo" };
export const requestedDays = ({ DateFrom, DateTo }: { DateFrom?: string; DateTo?: string }) => ({
  dateFrom: DateFrom && dayOf(DateFrom),
  dateTo: DateTo && dayOf(DateTo),
});

export const FILE = "application/octet-stream";

export const fileTypes = z.array(z.int().min(0).max(4)).optional();

/** Types of the stored radiographs in order; undefined without any. Throws `invalid` if one is missing. */
export function typesInOrder(files: ApiRequest<unknown, unknown>["files"], types: number[] = []): number[] | undefined {
  const radiographs = files.filter(({ field }) => field === "radiographs");
  if (radiographs.length === 0) return undefined;
  return radiographs.map(({ place }) => {
    const type = types[place];
    if (type === undefined)
      throw new Refusal("invalid", {
        fields: { RadiographFileTypes: ["Angiv en filtype (0–4) for hver fil, i filernes rækkefølge."] },
      });
    return type;
  });
}

export function typesByFile(
  files: ApiRequest<unknown, unknown>["files"],
  types: number[] | undefined,
): Record<string, number> {
  const inOrder = typesInOrder(files, types) ?? [];
  return Object.fromEntries(
    files
      .filter(({ field }) => field === "radiographs")
      .flatMap((file, index) => (inOrder[index] === undefined ? [] : [[String(file.id), inOrder[index]]])),
  );
}

/** Sent for unsortable columns; means the list's own order. */
const UNSORTED = 0;

export const listParams = (columns: readonly SortColumn[]) => ({
  OrderBy: z
    .int()
    .refine((key) => key === UNSORTED || columns.some((column) => column.key === key), "Ukendt kolonne.")
    .optional(),
  OrderByAscending: z.boolean().optional(),
  CurrentPage: z.int().min(1).max(1_000_000).optional(),
  PageSize: z.int().min(1).max(MAX_PAGE_SIZE).optional(),
});

type Sent = { [K in keyof ReturnType<typeof listParams>]?: z.output<ReturnType<typeof listParams>[K]> };

export const requestedPage = (sent: Sent, standard: ListSort) => ({
  sort: sortParam({ key: sent.OrderBy ?? standard.key, ascending: sent.OrderByAscending ?? false }),
  page: sent.CurrentPage,
  pageSize: sent.PageSize,
  countsAll: true,
  rowsOnly: true,
});

/** Rows of the page asked for. One beyond the last is empty in the API, so that a paging client finds the end. */
export const rowsOf = <R>({ rows, page }: { rows: R[]; page: number }, asked: number | undefined): R[] =>
  page < (asked ?? 1) ? [] : rows;

export const cprBoxes = (cpr: string) => ({ cpr6: cpr.slice(0, 6), cpr4: cpr.slice(6).replace(/^-/, "") });

const box = z.boolean().optional();

/** Parameters of GET /Visits; `Cpr` is six digits or the whole number. */
export const filterParams = {
  PatientName: z.string().optional(),
  DateFrom: isoDay.optional(),
  DateTo: isoDay.optional(),
  VisitNumber: z.int().positive().optional(),
  Cpr: z.string().optional(),
  DoctorId: id.optional(),
  SurgeonId: id.optional(),
  ClinicId: id.optional(),
  PatientEmail: z.string().optional(),
  OnlyUnansweredMessage: box,
  OnlyUnansweredMessageInMyVisits: box,
  OnlyEdi: box,
  IsOnlyTestVisits: box,
  onlyEmptyExternalDoctorId: box,
  Statuses: z.array(z.int()).optional(),
};

export const filterNames = {
  patientName: "PatientName",
  dateFrom: "DateFrom",
  dateTo: "DateTo",
  visitNumber: "VisitNumber",
  cpr: "Cpr",
  patientEmail: "PatientEmail",
  statuses: "Statuses",
};

export function filterOf(sent: z.output<z.ZodObject<typeof filterParams>>): { [K in keyof OverviewFilter]: unknown } {
  const ticked = (value: boolean | undefined) => (value ? true : undefined);
  return {
    patientName: sent.PatientName,
    dateFrom: sent.DateFrom && dayOf(sent.DateFrom),
    dateTo: sent.DateTo && dayOf(sent.DateTo),
    visitNumber: sent.VisitNumber,
    cpr: sent.Cpr,
    referrerId: sent.DoctorId,
    surgeonId: sent.SurgeonId,
    clinicId: sent.ClinicId,
    patientEmail: sent.PatientEmail,
    newMessages: ticked(sent.OnlyUnansweredMessage),
    myNewMessages: ticked(sent.OnlyUnansweredMessageInMyVisits),
    onlyEdi: ticked(sent.OnlyEdi),
    onlyTest: ticked(sent.IsOnlyTestVisits),
    missingDentistId: ticked(sent.onlyEmptyExternalDoctorId),
    statuses: sent.Statuses,
  };
}
