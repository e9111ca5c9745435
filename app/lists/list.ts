import type { FilterDefinitions } from "./filters";
import type { ListSort, SortColumn } from "./sort";

export const PAGE_SIZE = 20;

/** Maximum page size of the API. */
export const MAX_PAGE_SIZE = 1000;

/** The part of a list's definition that its page needs in the browser. */
export interface ListView<F extends object = object, K extends number = number> {
  /** Its name in seals and in the cache. */
  name: string;
  path: string;
  /** Name of the look-up that the filter form runs. */
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

/** Addresses of a list, starting from the parameters of the page that is shown. */
export const hereOf =
  (path: string, shown: Parameters): Here =>
  (change) => {
    const entries = Object.entries({ ...shown, ...change });
    const set = entries.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${path}?${new URLSearchParams(set).toString()}`;
  };
