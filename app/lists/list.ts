import type { FilterDefinitions } from "./filters";
import type { Permission } from "~/access/permissions";

export const PAGE_SIZE = 20;

export const MAX_PAGE_SIZE = 1000;

/** The part of a list's definition that its page needs in the browser. */
export interface ListView<F extends object = object, K extends number = number> {
  name: string;
  path: string;
  filterName: string;
  filters: FilterDefinitions<F>;
  columns: readonly SortColumn<K>[];
  defaultSort: ListSort<K>;
}

/** Parses a list's address: order, page and cursor, sealed filter, open row, picks. */
export function readListQuery(request: Request) {
  const query = new URL(request.url).searchParams;
  return {
    sort: query.get("sort"),
    page: query.get("page") ?? 1,
    cursor: query.get("fra"),
    f: query.get("f"),
    openId: query.get("aaben"),
    picks: query.get("valgt"),
  };
}

type Parameters = Record<string, string | number | null>;

/** Builds the list's address with some parameters changed; null removes one. */
export type Here = (change: Parameters) => string;

export const hereOf =
  (path: string, shown: Parameters): Here =>
  (change) => {
    const entries = Object.entries({ ...shown, ...change });
    const set = entries.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${path}?${new URLSearchParams(set).toString()}`;
  };

/** A sortable column; `key` is its number in addresses and API. */
export interface SortColumn<K extends number = number> {
  key: K;
  label: string;
  /** First click ascends (texts); otherwise newest or greatest first. */
  ascendsFirst?: true;
  isOneWay?: true;
  inWords?: string;
  /** Needed to sort by it. Without a head in the table: links set it, and the select of orders has it while it is used. */
  permission?: Permission;
}

export interface ListSort<K extends number = number> {
  key: K;
  ascending: boolean;
}

/** Parses `5` or `-5`, minus for descending; anything else is the default. */
export function parseSort<K extends number>(
  text: string | null | undefined,
  { columns, defaultSort }: { columns: readonly { key: K }[]; defaultSort: ListSort<K> },
): ListSort<K> {
  const match = /^(-?)(\d{1,2})$/.exec(text ?? "");
  const column = match && columns.find(({ key }) => key === Number(match[2]));
  return column ? { key: column.key, ascending: match[1] === "" } : defaultSort;
}

export function sortParam({ key, ascending }: ListSort): string {
  return `${ascending ? "" : "-"}${key}`;
}

export function sortByClick<K extends number>(
  now: ListSort,
  { key, ascendsFirst = false, isOneWay = false }: { key: K; ascendsFirst?: boolean; isOneWay?: boolean },
): ListSort<K> {
  if (isOneWay) return { key, ascending: true };
  return { key, ascending: now.key === key ? !now.ascending : ascendsFirst };
}

export function directionOf(now: ListSort, key: number): "ascending" | "descending" | undefined {
  if (now.key !== key) return undefined;
  return now.ascending ? "ascending" : "descending";
}
