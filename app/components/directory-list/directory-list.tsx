import { useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { picksParam } from "~/features/merging/merge-words";
import { type Column, DataTable } from "~/lists/data-table";
import type { FilterChoices } from "~/lists/filter-field";
import { FilterPanel, type FilterState } from "~/lists/filter-panel";
import { ListHead } from "~/lists/list-head";
import { type ListSort, parseSort, type SortColumn } from "~/lists/sort";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Pager } from "~/ui/lists/pager";

/** Builds the list's address with some parameters changed; null removes one. */
export type Here = (change: Record<string, string | number | null>) => string;

interface Listed<Row> extends FilterState {
  wasReset: boolean;
  total: number;
  isMore: boolean;
  page: number;
  pageCount: number;
  start: string | null;
  end: string | null;
  openId: number | null;
  picks: number[];
  rows: Row[];
}

export function hereOf(
  path: string,
  {
    f,
    sort,
    page,
    start: fra,
    openId: aaben,
    picks,
  }: Pick<Listed<unknown>, "f" | "sort" | "page" | "start" | "openId" | "picks">,
): Here {
  return (change) => {
    const entries = Object.entries({ f, sort, page, fra, aaben, valgt: picksParam(picks), ...change });
    const set = entries.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${path}?${new URLSearchParams(set).toString()}`;
  };
}

interface DirectoryListProps<Row> {
  list: Listed<Row>;
  path: string;
  here: Here;
  filters: object;
  intent: string;
  choices?: FilterChoices;
  caption: string;
  one: string;
  many: string;
  columns: readonly Column<Row>[];
  sortColumns: readonly SortColumn[];
  defaultSort: ListSort;
  open: ReactNode;
  jump?: ReactNode;
}

export function DirectoryList<Row extends { id: number; hasLeft: boolean; pick: "picked" | "possible" | null }>({
  list,
  path,
  here,
  filters,
  intent,
  choices = {},
  caption,
  one,
  many,
  columns,
  sortColumns,
  defaultSort,
  open,
  jump,
}: DirectoryListProps<Row>) {
  const pager = (label: string) => (
    <Pager
      page={list.page}
      pageCount={list.pageCount}
      href={(page) => here({ page, aaben: null, fra: page === 1 ? null : page > list.page ? list.end : list.start })}
      label={label}
    />
  );
  const [query] = useSearchParams();
  return (
    <>
      {query.has("aaben") && list.openId === null && (
        <Notice kind="info">
          Den {one}, som linket åbner, står ikke på denne side af listen. Søg efter den, eller vælg &apos;Reset
          filtre&apos;.
        </Notice>
      )}
      {list.wasReset && <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>}
      <FilterPanel
        list={list}
        definitions={filters}
        intent={intent}
        action={here({ aaben: null })}
        resetTo={path}
        chipTo={(f) => here({ f, page: 1, fra: null, aaben: null })}
        choices={choices}
        showsMore
        alwaysResets
        isFolded={list.openId !== null}
      />
      <ListHead
        list={list}
        columns={sortColumns}
        defaultSort={defaultSort}
        one={one}
        many={many}
        action={path}
        pager={pager("Sider, øverst")}
      />
      {list.rows.length === 0 ? (
        <EmptyState action={<a href={path}>Reset filtre</a>} />
      ) : (
        <DataTable
          caption={caption}
          className="name-first"
          columns={columns}
          rows={list.rows}
          sort={parseSort(list.sort, sortColumns, defaultSort)}
          sortTo={(sort) => here({ page: 1, fra: null, sort })}
          rowClass={rowClass(list.openId)}
          open={{ id: list.openId, content: open }}
        />
      )}
      <div className="list-foot flex flex-wrap items-center mt-3">
        {pager("Sider, nederst")}
        {jump}
      </div>
    </>
  );
}

const rowClass = (openId: number | null) => (row: { id: number; hasLeft: boolean; pick: string | null }) => {
  if (row.hasLeft) return "row-on row-faded";
  if (row.id === openId) return "row-on";
  return row.pick === "picked" ? "row-picked" : undefined;
};
