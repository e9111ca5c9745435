import { Form } from "@remix-run/react";
import { Button } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/select-field";
import { type ListSort, parseSort, type SortColumn, sortParam } from "./sort";
import type { ReactNode } from "react";
import { showCount } from "~/text/numbers";
import { PAGE_SIZE } from "./page-size";

/** Order select shown when rows are cards (`wide` as for the table); works without JavaScript. */
function SortSelect({
  columns,
  sort,
  action,
  f,
  wide,
}: {
  columns: readonly SortColumn[];
  sort: ListSort;
  action: string;
  f: string | null;
  wide?: boolean;
}) {
  const choices = columns.flatMap(({ key, label, inWords, isOneWay }) => [
    { value: sortParam({ key, ascending: true }), label: inWords ?? `${label}, stigende` },
    ...(isOneWay ? [] : [{ value: sortParam({ key, ascending: false }), label: `${label}, faldende` }]),
  ]);
  return (
    <Form
      action={action}
      className={`flex items-center w-full max-w-[420px] my-1 ${wide ? "desk:hidden" : "table:hidden"}`}
    >
      {f && <input type="hidden" name="f" value={f} />}
      <SelectField
        key={sortParam(sort)}
        name="sort"
        label="Sortér efter"
        labelHidden
        id="sort-select"
        choices={choices}
        defaultValue={sortParam(sort)}
        className="flex-auto min-w-0 mr-2"
      />
      <Button>Sortér</Button>
    </Form>
  );
}

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
