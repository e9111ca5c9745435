import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import { z } from "zod";
import { type DbOrTx, idsOf } from "~db/connection.server";
import type { Database } from "~db/schema";
import { withoutOrder } from "~db/without-index";
import type { Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import type {
  FilterContext,
  FilterRule,
  FilterRules,
  List,
  ListDefinition,
  RowsQuery,
  Strategy,
} from "./define-list.server";
import { allowedFilter, type FilterDefinitions } from "./filters";
import { PAGE_SIZE } from "./list";

type PlaceValue = string | number | null;

/** A position in a list: sort values and id. The row may have moved or left since. */
export interface Cursor {
  id: number;
  value: PlaceValue;
  within: PlaceValue;
}

interface PagePosition {
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

function orderOf({ of, sort }: List): { columns: readonly string[]; ascending: boolean } {
  const by = of.sortBy[sort.key]!;
  const { column, within, falls = false } = typeof by === "string" ? { column: by } : by;
  const columns = within === undefined ? [column, of.idColumn] : [column, within, of.idColumn];
  return { columns: [...new Set(columns)], ascending: sort.ascending !== falls };
}

const placeIn = (columns: readonly string[], { value, within, id }: Cursor): PlaceValue[] => [
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

export type Placed<R> = R & { sortValue: PlaceValue; sortWithin: PlaceValue };

export const cursorOf = ({ id, sortValue, sortWithin }: Placed<{ id: number }>): Cursor => ({
  id,
  value: sortValue,
  within: sortWithin,
});

/**
 * Beyond this offset all matches of a common name are sorted: a scan checks the name of every row that it passes (1.4 s
 * of a million rows, sorted 0.2 s).
 */
const FAR_BY_NAME = 1000;

/**
 * Rows in list order. Their ids are found first, from an index where the order has one, and then only the page's rows
 * are read whole. From a cursor the database steps instead of counting everything before.
 */
export async function findRows<R extends { id: number }>(
  db: DbOrTx,
  list: List<R>,
  position: PagePosition,
): Promise<Placed<R>[]> {
  const { of, filterContext } = list;
  const ids = await findIds(db, list, position);
  if (ids.length === 0) return [];
  const byId = of.scope(db, filterContext.actor, "scan").where(sql.ref(of.idColumn), "in", ids);
  const rows = await selectPlaced(list, byId).execute();
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => rowOf.get(id) ?? []);
}

export async function findIds(db: DbOrTx, asked: List, position: PagePosition): Promise<number[]> {
  const { filterContext } = asked;
  const isFarByName = position.skip > FAR_BY_NAME && filterContext.nameMatch === "scanInOrder";
  const list: List = isFarByName
    ? { ...asked, filterContext: { ...filterContext, nameMatch: undefined, strategy: "sort" } }
    : asked;
  const parts = partsOf(list);
  const rows =
    parts === null
      ? await inOrder(await matchingRows(db, list), list, position)
          .select(idOf(list.of))
          .execute()
      : await idsOfParts(db, list, parts, position);
  const ids = idsOf(rows);
  return position.direction === "forward" ? ids : ids.reverse();
}

interface Parts {
  column: string;
  values: readonly number[];
}

/** The values whose rows are scanned one by one; null if the whole order has an index, or is not scanned. */
function partsOf({ of: { indexedWithin }, filter, sort, filterContext }: List): Parts | null {
  // Few rows, which are found first, would be found again in every part.
  if (Array.isArray(filterContext.nameMatch) || filterContext.strategy === "sort") return null;
  if (!indexedWithin?.sortKeys.includes(sort.key)) return null;
  const values = indexedWithin.values(filter, sort.key);
  return values.length === 0 ? null : { column: indexedWithin.column, values };
}

async function idsOfParts(
  db: DbOrTx,
  list: List,
  { column: partColumn, values }: Parts,
  position: PagePosition,
): Promise<{ id: number }[]> {
  const matching = await matchingRows(db, list, { strategy: "scan" });
  const parts = values.map((value) => matching.where(sql.ref(partColumn), "=", value));
  const { columns, ascending } = orderOf(list);
  const { skip, take, direction } = position;
  const places = columns.map((column, index) => sql.ref<PlaceValue>(column).as(`place_${index}`));
  const placed = parts.map((part, index) =>
    db
      .selectFrom(
        inOrder(part, list, { ...position, skip: 0, take: skip + take })
          .select([idOf(list.of), ...places])
          .as(`part_${index}`),
      )
      .selectAll(),
  );
  const [first, ...rest] = placed as [(typeof placed)[number], ...typeof placed];
  const together = rest.reduce((all, part) => all.unionAll(part), first);
  const order = ascending === (direction === "forward") ? "asc" : "desc";
  return columns
    .reduce(
      (rows, _column, index) => rows.orderBy(sql.ref(`together.place_${index}`), order),
      db.selectFrom(together.as("together")).select("together.id"),
    )
    .limit(take)
    .$if(skip > 0, (query) => query.offset(skip))
    .execute();
}

export async function findRow<R extends { id: number }>(
  db: DbOrTx,
  list: List<R>,
  id: number,
): Promise<Placed<R> | undefined> {
  return selectPlaced(
    list,
    list.of.scope(db, list.filterContext.actor).where(sql.ref(list.of.idColumn), "=", id),
  ).executeTakeFirst();
}

/** The row next to a position, whether or not one is still there; null at the ends. */
export async function findNeighbour(
  db: DbOrTx,
  list: List,
  cursor: Cursor,
  direction: PagePosition["direction"],
): Promise<number | null> {
  const [neighbour] = await findIds(db, list, { cursor, direction, skip: 0, take: 1 });
  return neighbour ?? null;
}

export async function countRows(db: DbOrTx, list: List, max?: number): Promise<number> {
  // A scan in sort order would check thousands of rows per match.
  const matching = await matchingRows(db, list, { asksEachWord: true });
  const counted =
    max === undefined
      ? matching.select(sql<number>`count(*)`.as("count"))
      : db.selectFrom(matching.select(idOf(list.of)).limit(max).as("some")).select(sql<number>`count(*)`.as("count"));
  const { count } = await counted.executeTakeFirstOrThrow();
  return Number(count);
}

export async function findAllIds(db: DbOrTx, list: List, max: number): Promise<number[]> {
  const matching = await matchingRows(db, list, { asksEachWord: true });
  const rows = await matching.select(idOf(list.of)).limit(max).execute();
  return idsOf(rows);
}

/** A filter as a condition, without disallowed parts; true if empty. */
export function filterCondition<F extends object, EB>(
  { filters, rules }: { filters: FilterDefinitions<F>; rules: FilterRules<F, EB> },
  filter: F,
  filterContext: FilterContext,
) {
  const values = Object.entries(allowedFilter(filters, filterContext.actor, filter)).filter(
    ([, value]) => value !== undefined,
  );
  return (eb: EB): Expression<SqlBool> => {
    const conditions = values.map(([key, value]) =>
      (rules as Record<string, FilterRule<unknown, EB>>)[key]!.where(eb, value, filterContext),
    );
    return (eb as ExpressionBuilder<Database, never>).and(conditions);
  };
}

const findNameMatch = async (db: DbOrTx, { nameSearch }: ListDefinition, filter: object) => {
  const text = nameSearch?.textOf(filter);
  return text === undefined ? undefined : nameSearch?.findMatch(db, text);
};

async function matchingRows(
  db: DbOrTx,
  { of, filter, filterContext }: List,
  { strategy = filterContext.strategy, asksEachWord = false }: { strategy?: Strategy; asksEachWord?: boolean } = {},
): Promise<RowsQuery> {
  const chosen = "nameMatch" in filterContext ? filterContext.nameMatch : await findNameMatch(db, of, filter);
  const nameMatch = asksEachWord && chosen === "scanInOrder" ? undefined : chosen;
  return of
    .scope(db, filterContext.actor, strategy)
    .where(filterCondition(of, filter, { ...filterContext, strategy, nameMatch }));
}

const idOf = ({ idColumn }: ListDefinition) => sql.ref<number>(idColumn).as("id");

function selectPlaced<R extends { id: number }>(list: List<R>, rows: RowsQuery) {
  const [column, within] = orderOf(list).columns.slice(0, -1);
  return list.of
    .select(rows)
    .select([
      sql.ref<PlaceValue>(column ?? list.of.idColumn).as("sortValue"),
      (within === undefined ? sql<PlaceValue>`null` : sql.ref<PlaceValue>(within)).as("sortWithin"),
    ]) as unknown as RowsQuery<Placed<R>>;
}

function inOrder(
  rows: RowsQuery,
  list: List,
  { cursor, direction, isIncluded = false, skip, take }: PagePosition,
): RowsQuery {
  const { columns, ascending } = orderOf(list);
  const isRising = ascending === (direction === "forward");
  // Only nulls remain, which MariaDB would sort.
  const isAmongNulls = cursor !== null && cursor.value === null && !isRising;
  return columns
    .slice(isAmongNulls ? 1 : 0)
    .reduce((sorted, column) => sorted.orderBy(orderedBy(list, column), isRising ? "asc" : "desc"), rows)
    .$if(cursor !== null, (query) =>
      query.where(pastPlace(columns, placeIn(columns, cursor!), { ascending: isRising, isIncluded })),
    )
    .limit(take)
    .$if(skip > 0, (query) => query.offset(skip));
}

const orderedBy = ({ filterContext }: List, column: string) =>
  filterContext.strategy === "sort" ? withoutOrder(column) : sql.ref(column);

/** Rows at or past a position: `d <= x AND (d < x OR id <= y)`, which an index on (d, id) serves; nulls first. */
function pastPlace(
  [column, ...columns]: readonly string[],
  [value, ...values]: readonly PlaceValue[],
  order: { ascending: boolean; isIncluded: boolean },
): Expression<SqlBool> {
  const { ascending, isIncluded } = order;
  const ref = sql.ref(column!);
  const past = sql.raw(ascending ? ">" : "<");
  const orAt = sql.raw(ascending ? ">=" : "<=");
  if (columns.length === 0) return sql<boolean>`${ref} ${isIncluded ? orAt : past} ${value}`;
  const pastRest = pastPlace(columns, values, order);
  if (value === null) {
    const sameNull = sql<boolean>`(${ref} is null and ${pastRest})`;
    return ascending ? sql<boolean>`(${ref} is not null or ${sameNull})` : sameNull;
  }
  const atOrPast = sql<boolean>`${ref} ${orAt} ${value} and (${ref} ${past} ${value} or (${pastRest}))`;
  return ascending ? sql<boolean>`(${atOrPast})` : sql<boolean>`((${atOrPast}) or ${ref} is null)`;
}
