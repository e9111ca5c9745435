import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import type { DbOrTx } from "~db/connection.server";
import type { Database } from "~db/schema";
import { withoutOrder } from "~db/without-index";
import { type Cursor, orderOf, type PagePosition, placeIn, type PlaceValue } from "./cursor.server";
import type { FilterContext, FilterRule, FilterRules, List, ListDefinition, RowsQuery } from "./define-list.server";
import { allowedFilter, type FilterDefinitions } from "./filters";

export type Placed<R> = R & { sort_value: PlaceValue; sort_within: PlaceValue };

/** The position of a row. */
export const cursorOf = ({ id, sort_value, sort_within }: Placed<{ id: number }>): Cursor => ({
  id,
  value: sort_value,
  within: sort_within,
});

/** Beyond this offset, skipped rows are counted by id and only the page's rows are read whole. */
const FAR = 200;

/** Beyond this offset, sorting all matches of a common name is faster. */
const FAR_BY_NAME = 1000;

/** Rows in list order. From a cursor the database steps instead of counting everything before. */
export async function findRows<R extends { id: number }>(
  db: DbOrTx,
  list: List<R>,
  position: PagePosition,
): Promise<Placed<R>[]> {
  const { of, sort, filterContext } = list;
  // Skipped rows are cheap in an index, but cost a look-up each otherwise.
  const isFromIndex = filterContext.isLong || of.scannedSorts?.includes(sort.key) || splitOf(list) !== null;
  if (isFromIndex || position.skip > FAR) {
    const ids = await findIds(db, list, position);
    if (ids.length === 0) return [];
    const byNumber = of.scope(db, filterContext.actor, { scansSortOrder: true }).where(sql.ref(of.idColumn), "in", ids);
    const rows = await selectPlaced(list, byNumber).execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
  const rows = await selectPlaced(list, inOrder(await matchingRows(db, list), list, position)).execute();
  return position.direction === "forward" ? rows : rows.reverse();
}

/** Only the ids of such rows. */
export async function findIds(db: DbOrTx, asked: List, position: PagePosition): Promise<number[]> {
  const list = position.skip > FAR_BY_NAME ? sortedByName(asked) : asked;
  const split = splitOf(list);
  const matching = await matchingRows(db, list, { isSplit: split !== null });
  const rows =
    split === null
      ? await inOrder(matching, list, position).select(idOf(list.of)).execute()
      : await idsWithin(
          db,
          list,
          position,
          split.values.map((value) => matching.where(sql.ref(split.column), "=", value)),
        );
  const ids = rows.map((row) => row.id);
  return position.direction === "forward" ? ids : ids.reverse();
}

/** Sorts a common name's matches instead of scanning; other lists are unchanged. */
function sortedByName(list: List): List {
  const { filterContext } = list;
  if (filterContext.nameMatch !== "scanInOrder") return list;
  return {
    ...list,
    filterContext: { ...filterContext, nameMatch: undefined, scansSortOrder: false, sortsFound: true },
  };
}

/** Column and values by which the list is read in parts; null if the sort order has an index. */
function splitOf({ of, filter, sort, filterContext }: List): { column: string; values: readonly number[] } | null {
  const { splitBy } = of;
  // Rows found first need no index and would be found again in every part.
  if (Array.isArray(filterContext.nameMatch) || filterContext.sortsFound) return null;
  if (!splitBy?.sortKeys.includes(sort.key)) return null;
  const values = splitBy.values(filter, sort.key);
  return values.length === 0 ? null : { column: splitBy.column, values };
}

async function idsWithin(
  db: DbOrTx,
  list: List,
  position: PagePosition,
  parts: RowsQuery[],
): Promise<{ id: number }[]> {
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

/** A row in scope, matching or not; undefined otherwise. */
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

/** Number of rows, up to `max`. */
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

/** At most `max` ids, unordered. */
export async function findAllIds(db: DbOrTx, list: List, max: number): Promise<number[]> {
  const matching = await matchingRows(db, list, { asksEachWord: true });
  const rows = await matching.select(idOf(list.of)).limit(max).execute();
  return rows.map((row) => row.id);
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

/** With `isSplit` the filter offers no index, so that each part's order index is used. */
async function matchingRows(
  db: DbOrTx,
  { of, filter, filterContext }: List,
  { isSplit = false, asksEachWord = false } = {},
): Promise<RowsQuery> {
  const chosen = "nameMatch" in filterContext ? filterContext.nameMatch : await findNameMatch(db, of, filter);
  const nameMatch = asksEachWord && chosen === "scanInOrder" ? undefined : chosen;
  const scansSortOrder = isSplit || filterContext.scansSortOrder === true;
  return of
    .scope(db, filterContext.actor, filterContext)
    .where(filterCondition(of, filter, { ...filterContext, scansSortOrder, nameMatch }));
}

const idOf = ({ idColumn }: ListDefinition) => sql.ref<number>(idColumn).as("id");

function selectPlaced<R extends { id: number }>(list: List<R>, rows: RowsQuery) {
  const [column, within] = orderOf(list).columns.slice(0, -1);
  return list.of
    .select(rows)
    .select([
      sql.ref<PlaceValue>(column ?? list.of.idColumn).as("sort_value"),
      (within === undefined ? sql<PlaceValue>`null` : sql.ref<PlaceValue>(within)).as("sort_within"),
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
  filterContext.sortsFound ? withoutOrder(column) : sql.ref(column);

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
