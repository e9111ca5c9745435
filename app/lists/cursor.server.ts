import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import type { List } from "./define-list.server";
import { PAGE_SIZE } from "./page-size";

export type PlaceValue = string | number | null;

/** A position in the order: the values that a row was sorted by, and its id. The row may have moved or left the list since. */
export interface Cursor {
  id: number;
  value: PlaceValue;
  /** What orders the rows of one value; null where their ids do. */
  within: PlaceValue;
}

/** Where in the list to begin: at a cursor, or so many rows from one of its ends. */
export interface PagePosition {
  cursor: Cursor | null;
  direction: "forward" | "backward";
  /** Forward: whether a row at the cursor itself is the first. */
  isIncluded?: boolean;
  skip: number;
  take: number;
}

/** A position that a page of the list began or ended at when it was shown, and the page's number. */
export interface PageCursor extends Cursor {
  page: number;
  side: "first" | "last";
}

const placeValue = z.union([z.string(), z.number(), z.null()]);
const sealed = z.strictObject({
  id: z.number().int(),
  value: placeValue,
  within: placeValue,
  page: z.number().int().min(1),
  side: z.enum(["first", "last"]),
});

const purpose = ({ id }: Person) => `list-cursor:${id}`;

/** For a page link's address: what a list is sorted by may be a name or a CPR number. */
export function sealCursor(secrets: Secrets, person: Person, cursor: PageCursor): string {
  return secrets.encrypt("seal", JSON.stringify(cursor), purpose(person));
}

/** Null for a seal that is broken or another person's; the page is then counted to. */
export function unsealCursor(secrets: Secrets, person: Person, text: string): PageCursor | null {
  const plain = secrets.decrypt("seal", text, purpose(person));
  const parsed = sealed.safeParse(plain === null ? null : JSON.parse(plain));
  return parsed.success ? parsed.data : null;
}

/**
 * Where page `page` begins. From the last row of an earlier page it continues after that row, and from the first row of a later one back
 * before it: whatever has left the list or moved within it since, no row between the two pages is passed over. Without a cursor
 * the rows are counted from the beginning.
 */
export function positionOfPage(page: number, cursor: PageCursor | null, pageSize = PAGE_SIZE): PagePosition {
  if (cursor === null) return { cursor: null, direction: "forward", skip: (page - 1) * pageSize, take: pageSize };
  const steps = (page - cursor.page) * pageSize;
  if (steps < 0) return { cursor, direction: "backward", skip: -steps - pageSize, take: pageSize };
  if (cursor.side === "first") return { cursor, direction: "forward", isIncluded: true, skip: steps, take: pageSize };
  return { cursor, direction: "forward", skip: Math.max(0, steps - pageSize), take: pageSize };
}

/** The stored columns that a list is sorted by, its ids last, and whether their values ascend in the list's order. */
export function orderOf({ of, sort }: List): { columns: readonly string[]; ascending: boolean } {
  const by = of.sortBy[sort.key]!;
  const { column, within, falls = false } = typeof by === "string" ? { column: by } : by;
  const columns = within === undefined ? [column, of.idColumn] : [column, within, of.idColumn];
  return { columns: [...new Set(columns)], ascending: sort.ascending !== falls };
}

/** The values of a position in those columns. */
export const placeIn = (columns: readonly string[], { value, within, id }: Cursor): PlaceValue[] => [
  ...[value, within].slice(0, columns.length - 1),
  id,
];

/** Whether the first comes before the second in the list's order. Stored text is compared by its bytes, as both databases do; null is least. */
export function isBefore(list: List, first: Cursor, second: Cursor): boolean {
  const order =
    compareValues(first.value, second.value) || compareValues(first.within, second.within) || first.id - second.id;
  return orderOf(list).ascending ? order < 0 : order > 0;
}

function compareValues(a: PlaceValue, b: PlaceValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return typeof a === "string" ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a - Number(b);
}
