/** A column that a list can be sorted by; `key` is its number in addresses and in the API. */
export interface SortColumn<K extends number = number> {
  key: K;
  label: string;
  /** What the first click on its head asks for: texts begin with A, all else with the newest or greatest. */
  ascendsFirst?: true;
  /** Its one order, which always ascends, in words; turned it would say nothing. */
  isOneWay?: true;
  inWords?: string;
}

/** How a list is ordered. */
export interface ListSort<K extends number = number> {
  key: K;
  ascending: boolean;
}

/** Reads `5` or `-5`: the key, with a minus for descending. Anything that is no key of these columns is the `standard`. */
export function parseSort<K extends number>(
  text: string | null | undefined,
  columns: readonly { key: K }[],
  standard: ListSort<K>,
): ListSort<K> {
  const match = /^(-?)(\d{1,2})$/.exec(text ?? "");
  const column = match && columns.find(({ key }) => key === Number(match[2]));
  return column ? { key: column.key, ascending: match[1] === "" } : standard;
}

export function sortParam({ key, ascending }: ListSort): string {
  return `${ascending ? "" : "-"}${key}`;
}

/** What a click on a column's head asks for: a second one turns the order. */
export function sortByClick<K extends number>(
  now: ListSort,
  { key, ascendsFirst = false, isOneWay = false }: { key: K; ascendsFirst?: boolean; isOneWay?: boolean },
): ListSort<K> {
  if (isOneWay) return { key, ascending: true };
  return { key, ascending: now.key === key ? !now.ascending : ascendsFirst };
}

/** For `aria-sort`: undefined for a column that the list is not ordered by. */
export function directionOf(now: ListSort, key: number): "ascending" | "descending" | undefined {
  if (now.key !== key) return undefined;
  return now.ascending ? "ascending" : "descending";
}
