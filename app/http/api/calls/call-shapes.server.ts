import { z } from "zod";
import { localDate } from "~/text/dates";
import { Refusal } from "~/access/refusal";
import type { ApiRequest } from "~/http/api/api-route.server";
import { MAX_PAGE_SIZE } from "~/lists/list";
import { type ListSort, type SortColumn, sortParam } from "~/lists/sort";

export const moment = z.iso.datetime();
export const text = z.string().nullable();

/** A day `YYYY-MM-DD`, or a moment with zone, converted to its Copenhagen day. */
export const isoDay = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "Skriv datoen som ISO 8601, fx 2026-12-01.",
});

export const dayOf = (sent: string): string => (sent.length === 10 ? sent : localDate(new Date(sent)));

/** A period of days; both ends are optional. */
export const dayParams = { DateFrom: isoDay.optional(), DateTo: isoDay.optional() };
export const dayNames = { dateFrom: "DateFrom", dateTo: "DateTo" };
export const requestedDays = ({
  DateFrom,
  DateTo,
}: {
  DateFrom?: string | undefined;
  DateTo?: string | undefined;
}) => ({
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
      .flatMap(({ id }, index) => (inOrder[index] === undefined ? [] : [[String(id), inOrder[index]]])),
  );
}

/** Sent for unsortable columns; means the list's own order. */
const UNSORTED = 0;

/** Paging parameters of every list; columns by sort key. */
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
