import { z } from "zod";
import { MAX_PAGE_SIZE } from "~/lists/page-size";
import { type ListSort, type SortColumn, sortParam } from "~/lists/sort";

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

/** The list's input; the API counts every row. */
export const requestedPage = (sent: Sent, standard: ListSort) => ({
  sort: sortParam({ key: sent.OrderBy ?? standard.key, ascending: sent.OrderByAscending ?? false }),
  page: sent.CurrentPage,
  pageSize: sent.PageSize,
  countsAll: true,
  rowsOnly: true,
});
