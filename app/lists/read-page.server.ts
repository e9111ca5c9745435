import { z } from "zod";
import { scopeKey } from "~/cache/cache.server";
import type { Person } from "~/access/actor";
import type { Portal } from "~/portal.server";
import type { List } from "./define-list.server";
import { MAX_PAGE_SIZE, PAGE_SIZE } from "./list";
import {
  type Cursor,
  isBefore,
  type PageCursor,
  positionOfPage,
  sealCursor,
  unsealCursor,
  countRows,
  cursorOf,
  findAllIds,
  findNeighbour,
  findRow,
  findRows,
  type Placed,
} from "./rows.server";

export interface RequestedPage {
  page: number;
  pageSize?: number;
  countsAll?: boolean;
  cursor?: string | null;
  openId?: number | null;
  /** Sort value of the open row when it was opened, if changed since. */
  openedAt?: Cursor["value"];
}

export const pageByNumber = {
  pageSize: z.number().int().min(1).max(MAX_PAGE_SIZE).optional(),
  countsAll: z.boolean().optional(),
  rowsOnly: z.boolean().optional(),
};

export type PageRow<R> = Placed<R> & { hasLeft?: true };

type Reader = Pick<Portal, "db" | "cache" | "secrets">;

export const COUNTS = "count of";

/** Counts rows up to `max`; slow counts are cached for a minute. */
export function countList(
  { cache, db }: Pick<Reader, "cache" | "db">,
  person: Person,
  list: List,
  max?: number,
): Promise<number> {
  return cache.getIfSlow(`${rowsKey(person, list)} ${max ?? "all"}`, () => countRows(db, list, max));
}

function listIds({ cache, db }: Pick<Reader, "cache" | "db">, person: Person, list: List): Promise<number[]> {
  return cache.getIfSlow(`${rowsKey(person, list)} ids`, () => findAllIds(db, list, list.of.maxCounted + 1));
}

/** How rows with the filter's name are found; cached like a count. */
async function nameMatchOf({ cache, db }: Reader, { of, filter }: List) {
  const text = of.nameSearch?.textOf(filter);
  if (text === undefined) return undefined;
  return cache.getIfSlow(`${COUNTS} ${of.name} of the name ${text}`, () => of.nameSearch!.findMatch(db, text));
}

const rowsKey = (person: Person, { of, filter }: List) =>
  `${COUNTS} ${of.name} ${scopeKey(person)} ${person.id} ${JSON.stringify(filter)}`;

/**
 * A page of the list with the sealed cursors of its ends. The open row keeps the place it was opened at, even if it
 * left the list. Pages beyond the last return the last.
 */
export async function readPage<R extends { id: number }>(
  portal: Reader,
  person: Person,
  asked: List<R>,
  requested: RequestedPage,
) {
  const { pageSize = PAGE_SIZE, countsAll = false } = requested;
  const maxCounted = countsAll ? Infinity : asked.of.maxCounted;
  const { list, count } = await planList(portal, person, asked, countsAll);
  const [total, isMore] = [Math.min(count, maxCounted), count > maxCounted];
  const counted = Math.max(1, Math.ceil(total / pageSize));
  const given = requested.cursor ? unsealCursor(portal.secrets, person, requested.cursor) : null;
  // Beyond the counted rows a page is reached by cursor only.
  const isReached =
    requested.page <= counted || (isMore && given !== null && Math.abs(requested.page - given.page) <= counted);
  const page = isReached ? requested.page : counted;
  const cursor = isReached ? given : null;
  const rows: PageRow<R>[] =
    total === 0
      ? []
      : await rowsOfPage(portal, list, { page, pageSize, cursor, total: isMore ? null : total, isBeyond: !isReached });
  const pageCount = isMore ? Math.max(counted, page + Number(await hasMore(portal, list, rows))) : counted;
  const seal = (row: Placed<R> | undefined, side: PageCursor["side"]) =>
    row ? sealCursor(portal.secrets, person, { ...cursorOf(row), page, side }) : null;
  const start = cursor?.page === page && cursor.side === "first" ? requested.cursor! : seal(rows[0], "first");
  const end = seal(rows.at(-1), "last");
  const opened = await openedRow(portal, list, rows, requested);
  const isHere =
    opened !== null && isOnPage(list, opened.cursor, rows, { cursor, isFirst: page === 1, isLast: page === pageCount });
  if (isHere)
    rows.splice(rows.filter((row) => isBefore(list, cursorOf(row), opened.cursor)).length, 0, {
      ...opened.row,
      hasLeft: true,
    });
  return { total, isMore, page, pageCount, rows, start: page === 1 ? null : start, end };
}

/**
 * Counts the list, at most one beyond `maxCounted` unless `countsAll`, and chooses how it is read (docs/decisions/0030).
 */
async function planList<R extends { id: number }>(
  portal: Reader,
  person: Person,
  asked: List<R>,
  countsAll: boolean,
): Promise<{ list: List<R>; count: number }> {
  const { of, filter, sort, filterContext } = asked;
  const byName = await nameMatchOf(portal, asked);
  const counted = { ...asked, filterContext: { ...filterContext, nameMatch: byName } };
  // A common name with other filters may match few rows, and a scan would read far before finding one.
  const ids = byName === "scanInOrder" ? await listIds(portal, person, counted) : null;
  const isFound = ids !== null && ids.length <= of.maxCounted;
  const count =
    ids !== null && (isFound || !countsAll)
      ? ids.length
      : await countList(portal, person, counted, countsAll ? undefined : of.maxCounted + 1);
  const countUpTo = (max: number) =>
    count > of.maxCounted && count < max ? countList(portal, person, counted, max) : Promise.resolve(count);
  const nameMatch = isFound ? ids : byName;
  const strategy = Array.isArray(nameMatch) ? undefined : await of.strategy?.(filter, sort, countUpTo);
  return { list: { ...asked, filterContext: { ...filterContext, nameMatch, strategy } }, count };
}

async function hasMore({ db }: Reader, list: List, rows: Placed<{ id: number }>[]): Promise<boolean> {
  const last = rows.at(-1);
  return last !== undefined && (await findNeighbour(db, list, cursorOf(last), "forward")) !== null;
}

/** Beyond the last page, or past the last row, returns the last page read from the end. */
async function rowsOfPage<R extends { id: number }>(
  { db }: Reader,
  list: List<R>,
  {
    page,
    pageSize,
    cursor,
    total,
    isBeyond,
  }: { page: number; pageSize: number; cursor: PageCursor | null; total: number | null; isBeyond: boolean },
) {
  const rows = isBeyond && total !== null ? [] : await findRows(db, list, positionOfPage(page, cursor, pageSize));
  if (rows.length > 0) return rows;
  return findRows(db, list, {
    cursor: null,
    direction: "backward",
    skip: 0,
    take: (total ?? 0) % pageSize || pageSize,
  });
}

async function openedRow<R extends { id: number }>(
  { db }: Reader,
  list: List<R>,
  rows: Placed<R>[],
  { openId, openedAt }: RequestedPage,
) {
  if (openId == null || rows.some((row) => row.id === openId)) return null;
  const row = await findRow(db, list, openId);
  return row ? { row, cursor: placeOf(row, openedAt) } : null;
}

/** The open row keeps its position although a change, e.g. a new status, would move it. */
const placeOf = (row: Placed<{ id: number }>, openedAt: Cursor["value"] | undefined): Cursor => ({
  ...cursorOf(row),
  ...(openedAt == null ? {} : { value: openedAt }),
});

function isOnPage(
  list: List,
  at: Cursor,
  rows: Placed<{ id: number }>[],
  { cursor, isFirst, isLast }: { cursor: PageCursor | null; isFirst: boolean; isLast: boolean },
): boolean {
  const [first, last] = [rows[0], rows.at(-1)];
  const start = cursor ?? (first ? cursorOf(first) : at);
  const isAfterStart = isFirst || (cursor?.side === "last" ? isBefore(list, start, at) : !isBefore(list, at, start));
  return isAfterStart && (isLast || last === undefined || isBefore(list, at, cursorOf(last)));
}

/** 'Næste' and 'Forrige' of a row that is not on the page; null at the ends. */
export async function neighbourOf(
  portal: Reader,
  person: Person,
  asked: List,
  id: number,
  openedAt: Cursor["value"] | undefined,
  direction: "forward" | "backward",
): Promise<number | null> {
  const row = await findRow(portal.db, asked, id);
  if (!row) return null;
  const { list } = await planList(portal, person, asked, false);
  return findNeighbour(portal.db, list, placeOf(row, openedAt), direction);
}
