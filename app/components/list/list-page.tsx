import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { showCount } from "~/text/numbers";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/fields";
import { Icon } from "~/ui/icons/icon";
import { classNames } from "~/ui/layout/class-names";
import { Pager } from "~/ui/lists/pager";
import { type Column, DataTable } from "./data-table";
import { ActiveFilters, type FilterChoices, FilterPanel, type FilterState } from "./filter-panel";
import {
  type Here,
  type ListView,
  PAGE_SIZE,
  type ListSort,
  parseSort,
  type SortColumn,
  sortParam,
} from "~/lists/list";

export interface ListedRow {
  id: number;
  hasLeft?: boolean;
  pick?: "picked" | "possible" | null;
}

interface Shown<Row> extends FilterState {
  wasReset: boolean;
  total: number;
  isMore: boolean;
  page: number;
  pageCount: number;
  start: string | null;
  end: string | null;
  rows: readonly Row[];
}

interface ListRowsProps<Row> {
  view: ListView;
  list: Shown<Row>;
  here: Here;
  caption: string;
  one: string;
  many: string;
  columns: readonly Column<Row>[];
  /** Text about what will be listed here, and the first action; shown unless the reader has set a filter. */
  empty: { why: string; action?: ReactNode };
  openId?: number | null;
  open?: ReactNode;
  above?: ReactNode;
  below?(row: Row): ReactNode;
  foot?: ReactNode;
  wide?: boolean;
  hasOnePager?: boolean;
  alwaysResets?: boolean;
}

export interface ListPageProps<Row> extends ListRowsProps<Row> {
  choices?: FilterChoices;
}

export function ListPage<Row extends ListedRow>({ choices, ...rows }: ListPageProps<Row>) {
  const { view, list, here, openId } = rows;
  return (
    <>
      <ListFilter view={view} list={list} here={here} choices={choices ?? {}} isFolded={openId != null} />
      <ListRows {...rows} />
    </>
  );
}

type ListFilterProps = Pick<ListPageProps<unknown>, "view" | "list" | "here" | "choices"> & { isFolded: boolean };

export function ListFilter({ view, list, here, choices = {}, isFolded }: ListFilterProps) {
  return (
    <>
      {list.wasReset && <FilterReset />}
      <FilterPanel
        list={list}
        view={view}
        action={here({ aaben: null })}
        choices={choices}
        showsMore
        isFolded={isFolded}
      />
    </>
  );
}

export const FilterReset = () => <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>;

export function ListRows<Row extends ListedRow>({
  view,
  list,
  here,
  caption,
  one,
  many,
  columns,
  empty,
  openId = null,
  open,
  above,
  below,
  foot,
  wide = false,
  hasOnePager = false,
  alwaysResets = false,
}: ListRowsProps<Row>) {
  const pager = (label?: string) => (
    <Pager
      page={list.page}
      pageCount={list.pageCount}
      href={(page) => here({ page, aaben: null, fra: page === 1 ? null : page > list.page ? list.end : list.start })}
      label={label}
    />
  );
  return (
    <>
      <ListHead
        list={list}
        view={view}
        one={one}
        many={many}
        wide={wide}
        filters={
          <ActiveFilters
            active={list.active}
            resetTo={view.path}
            chipTo={(f) => here({ f, page: 1, fra: null, aaben: null })}
            alwaysResets={alwaysResets}
          />
        }
        pager={hasOnePager ? undefined : pager("Sider, øverst")}
      />
      {above}
      {list.rows.length === 0 ? (
        list.f !== null && list.active.length > 0 ? (
          <EmptyState icon="search" why={`Ingen ${many} passer til filtrene.`} />
        ) : (
          <EmptyState {...empty} />
        )
      ) : (
        <DataTable
          caption={caption}
          className="name-first"
          wide={wide}
          columns={columns}
          rows={list.rows}
          sort={parseSort(list.sort, view)}
          sortTo={(sort) => here({ page: 1, fra: null, sort })}
          rowClass={rowClass(openId)}
          below={below}
          open={{ id: openId, content: open }}
        />
      )}
      {hasOnePager ? (
        pager()
      ) : (
        <div className="list-foot">
          {foot}
          <div className="push">{pager("Sider, nederst")}</div>
        </div>
      )}
    </>
  );
}

const rowClass = (openId: number | null) => (row: ListedRow) => {
  if (row.hasLeft) return "row-on row-faded";
  if (row.id === openId) return "row-on";
  return row.pick === "picked" ? "row-picked" : undefined;
};

interface OpenLinkProps {
  row: { id: number; name: string };
  openId: number | null;
  here: Here;
}

const openHref = ({ row: { id }, openId, here }: OpenLinkProps) =>
  `${here({ aaben: id === openId ? null : id })}#r${id}`;

export const OpenName = (props: OpenLinkProps & { children?: ReactNode; className?: string }) => (
  <a href={openHref(props)} className={classNames("text-inherit no-underline", props.className)} data-keep-scroll="">
    {props.children ?? props.row.name}
  </a>
);

export const openColumn = <Row extends { id: number; name: string }>(
  openId: number | null,
  here: Here,
  nameOf: (row: Row) => ReactNode = ({ id }) => `nr. ${id}`,
): Column<Row> => ({
  label: "Åbn",
  isLabelHidden: true,
  className: "c-open",
  cell: (row) => (
    <a className="mark" href={openHref({ row, openId, here })} aria-expanded={row.id === openId} data-keep-scroll="">
      <Icon name={row.id === openId ? "up" : "down"} />
      <span className="sr-only">
        {row.id === openId ? "Luk" : "Åbn"} {nameOf(row)}
      </span>
    </a>
  ),
});

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
  const offered = columns.filter(({ key, permission }) => !permission || key === sort.key);
  const choices = offered.flatMap(({ key, label, inWords, isOneWay }) => [
    { value: sortParam({ key, ascending: true }), label: inWords ?? `${label}, stigende` },
    ...(isOneWay ? [] : [{ value: sortParam({ key, ascending: false }), label: `${label}, faldende` }]),
  ]);
  return (
    <Form
      action={action}
      className={`flex items-center w-full max-w-[420px] my-1 print:hidden ${wide ? "desk:hidden" : "table:hidden"}`}
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
  view: Pick<ListView, "path" | "columns" | "defaultSort">;
  one: string;
  many: string;
  filters: ReactNode;
  pager?: ReactNode;
  wide?: boolean;
}

export function ListHead({
  list: { f, sort, total, isMore, page, rows },
  view,
  one,
  many,
  filters,
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
      {filters}
      <div className="push">{pager}</div>
      {rows.length > 1 && view.columns.length > 1 && (
        <SortSelect columns={view.columns} sort={parseSort(sort, view)} action={view.path} f={f} wide={wide} />
      )}
    </div>
  );
}
