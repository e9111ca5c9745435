import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import type { List } from "./define-list.server";
import { PAGE_SIZE } from "./page-size";

export type PlaceValue = string | number | null;

/** A position in a list: sort values and id. The row may have moved or left since. */
export interface Cursor {
  id: number;
  value: PlaceValue;
  /** Secondary sort value; null if ids order equal rows. */
  within: PlaceValue;
}

export interface PagePosition {
  cursor: Cursor | null;
  direction: "forward" | "backward";
  /** Forward: the cursor's own row is included. */
  isIncluded?: boolean;
  skip: number;
  take: number;
}

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

/** Seals a cursor for an address, since sort values may be names or CPR numbers. */
export function sealCursor(secrets: Secrets, person: Person, cursor: PageCursor): string {
  return secrets.encrypt("seal", JSON.stringify(cursor), purpose(person));
}

/** Null for a broken or foreign seal; the page is then counted. */
export function unsealCursor(secrets: Secrets, person: Person, text: string): PageCursor | null {
  const plain = secrets.decrypt("seal", text, purpose(person));
  const parsed = sealed.safeParse(plain === null ? null : JSON.parse(plain));
  return parsed.success ? parsed.data : null;
}

/**
 * Start of page `page`: continues after the last row of an earlier page, or backwards from the first of a later one, so
 * that no row between is skipped whatever has moved. Without a cursor rows are counted.
 */
export function positionOfPage(page: number, cursor: PageCursor | null, pageSize = PAGE_SIZE): PagePosition {
  if (cursor === null) return { cursor: null, direction: "forward", skip: (page - 1) * pageSize, take: pageSize };
  const steps = (page - cursor.page) * pageSize;
  if (steps < 0) return { cursor, direction: "backward", skip: -steps - pageSize, take: pageSize };
  if (cursor.side === "first") return { cursor, direction: "forward", isIncluded: true, skip: steps, take: pageSize };
  return { cursor, direction: "forward", skip: Math.max(0, steps - pageSize), take: pageSize };
}

/** Stored sort columns, id last, and their direction. */
export function orderOf({ of, sort }: List): { columns: readonly string[]; ascending: boolean } {
  const by = of.sortBy[sort.key]!;
  const { column, within, falls = false } = typeof by === "string" ? { column: by } : by;
  const columns = within === undefined ? [column, of.idColumn] : [column, within, of.idColumn];
  return { columns: [...new Set(columns)], ascending: sort.ascending !== falls };
}

/** Sort values of a cursor in those columns. */
export const placeIn = (columns: readonly string[], { value, within, id }: Cursor): PlaceValue[] => [
  ...[value, within].slice(0, columns.length - 1),
  id,
];

/** Whether one row precedes another. Text is compared by bytes as in both databases; null is least. */
export function isBefore(list: List, first: Cursor, second: Cursor): boolean {
  const order =
    compareValues(first.value, second.value) || compareValues(first.within, second.within) || first.id - second.id;
  return orderOf(list).ascending ? order < 0 : order > 0;
}

function compareValues(a: PlaceValue, b: PlaceValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return typeof a === "string" ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a - Number(b);
}
