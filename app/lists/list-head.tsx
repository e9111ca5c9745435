import type { ReactNode } from "react";
import { showCount } from "~/text/numbers";
import { PAGE_SIZE } from "./page-size";
import { type ListSort, parseSort, type SortColumn } from "./sort";
import { SortSelect } from "./sort-select";

interface ListHeadProps {
  list: { f: string | null; sort: string; total: number; isMore: boolean; page: number; rows: readonly unknown[] };
  columns: readonly SortColumn[];
  defaultSort: ListSort;
  one: string;
  many: string;
  /** The list's address. */
  action: string;
  pager?: ReactNode;
  wide?: boolean;
}

/** Number of rows, range shown, and order on cards. */
export function ListHead({
  list: { f, sort, total, isMore, page, rows },
  columns,
  defaultSort,
  one,
  many,
  action,
  pager,
  wide = false,
}: ListHeadProps) {
  const first = (page - 1) * PAGE_SIZE + 1;
  return (
    <div className="list-head">
      <p className="m-0" aria-live="polite">
        <b>{total === 1 ? `1 ${one}` : `${isMore ? "over " : ""}${showCount(total)} ${many}`}</b>
        {rows.length > 1 && (
          <span className="meta">{` · viser ${showCount(first)}–${showCount(first + rows.length - 1)}`}</span>
        )}
      </p>
      <div className="push">{pager}</div>
      {rows.length > 1 && columns.length > 1 && (
        <SortSelect columns={columns} sort={parseSort(sort, columns, defaultSort)} action={action} f={f} wide={wide} />
      )}
    </div>
  );
}
