import { sql } from "kysely";
import type { DbOrTx } from "~db/connection.server";
import { referralScope } from "~/access/scope.server";
import { type Asked, filterCondition, isCommonName } from "./filter-sql.server";
import { type OverviewFilter, PAGE_SIZE, type Sort, type SortKey } from "./filters";

const sortColumns = {
  1: "referral.id",
  2: "referral.cpr6",
  3: "referral.name_sort",
  4: "referral.birth_date",
  5: "referral.create_date",
  7: "referral.status",
} as const satisfies Record<SortKey, string>;

/** A list: what is in it for whom, and its order. */
export interface List {
  filter: OverviewFilter;
  sort: Sort;
  asked: Asked;
}

/** A row's place in the order; the row need not match the filter any more. */
export interface Start {
  id: number;
  value: unknown;
}

/** Where in the list to begin: at a row, or so many rows from one of its ends. */
export interface Place {
  from: Start | null;
  /** From that row onwards, itself included, or back to what comes before it. */
  towards: "end" | "beginning";
  skip: number;
  take: number;
}

const rowColumns = [
  "referral.id",
  "referral.version",
  "referral.external_id",
  "referral.external_doctor_id",
  "referral.cpr_encrypted",
  "referral.first_name",
  "referral.last_name",
  "referral.birth_date",
  "referral.create_date",
  "referral.status",
  "referral.reference_type",
  "referral.has_radiographs",
  "referral.radiograph_export_status",
  "referral.has_unanswered_message",
  "referral.referrer_has_unread_messages",
  "referral.exported_to_csv",
  "referral.is_test",
] as const;

/** Further than this the rows passed over are counted by ids alone, and only the page's own rows are read whole. */
const FAR = 200;

/**
 * Rows of the list in its order. From a row the database steps from that row's place in the order, instead of counting through
 * everything before it (design/architecture.md, Lists); a row outside the actor's scope is no place.
 */
export async function findRows(db: DbOrTx, list: List, place: Place) {
  if (place.skip > FAR) {
    const ids = await findIds(db, list, place);
    if (ids.length === 0) return [];
    const rows = await db.selectFrom("referral").select(rowColumns).where("referral.id", "in", ids).execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
  const rows = await inOrder(db, await walkable(db, list), place).select(rowColumns).execute();
  return place.towards === "end" ? rows : rows.reverse();
}

/** The same rows' ids alone. */
export async function findIds(db: DbOrTx, list: List, place: Place): Promise<number[]> {
  const rows = await inOrder(db, await walkable(db, list), place).select("referral.id").execute();
  const ids = rows.map((row) => row.id);
  return place.towards === "end" ? ids : ids.reverse();
}

/** Of a common name a page is found by walking: to find and sort all who have it reads each of their rows. */
async function walkable(db: DbOrTx, list: List): Promise<List> {
  return (await isCommonName(db, list.filter)) ? { ...list, asked: { ...list.asked, walksNames: true } } : list;
}

function inOrder(db: DbOrTx, { filter, sort, asked }: List, { from, towards, skip, take }: Place) {
  const column = sortColumns[sort.key];
  const ascending = towards === "end" ? sort.ascending : !sort.ascending;
  const direction = ascending ? "asc" : "desc";
  return db
    .selectFrom("referral")
    .where(referralScope(asked.actor))
    .where(filterCondition(filter, asked))
    .$if(from !== null, (query) => query.where(beyond(column, from!, ascending, towards === "end")))
    .orderBy(column, direction)
    .$if(column !== "referral.id", (query) => query.orderBy("referral.id", direction))
    .limit(take)
    .$if(skip > 0, (query) => query.offset(skip));
}

/** A row's place in the list's order, or null when the actor may not see it. */
export async function findStart(db: DbOrTx, { sort, asked }: List, id: number): Promise<Start | null> {
  const column = sortColumns[sort.key];
  const row = await db.selectFrom("referral").select([`${column} as value`, "referral.id"]).where("referral.id", "=", id).where(referralScope(asked.actor)).executeTakeFirst();
  return row ?? null;
}

/** Rows past a place in the order, or at it: `d <= x AND (d < x OR id <= y)`, which an index on (d, id) answers; nulls come first. */
function beyond(column: (typeof sortColumns)[SortKey], place: Start, ascending: boolean, including: boolean) {
  const ref = sql.ref(column);
  const idRef = sql.ref("referral.id");
  const past = sql.raw(ascending ? ">" : "<");
  const orAt = sql.raw(ascending ? ">=" : "<=");
  const pastId = including ? sql`${idRef} ${orAt} ${place.id}` : sql`${idRef} ${past} ${place.id}`;
  if (column === "referral.id") return sql<boolean>`${pastId}`;
  if (place.value === null) {
    const sameNull = sql<boolean>`(${ref} is null and ${pastId})`;
    return ascending ? sql<boolean>`(${ref} is not null or ${sameNull})` : sameNull;
  }
  const atOrPast = sql<boolean>`${ref} ${orAt} ${place.value} and (${ref} ${past} ${place.value} or ${pastId})`;
  return ascending ? sql<boolean>`(${atOrPast})` : sql<boolean>`((${atOrPast}) or ${ref} is null)`;
}

/** Where page `page` begins: stepping from the first row of another page where one is known, else counting from the beginning. */
export function placeOfPage(page: number, anchor: { start: Start; page: number } | null): Place {
  if (anchor === null) return { from: null, towards: "end", skip: (page - 1) * PAGE_SIZE, take: PAGE_SIZE };
  const steps = (page - anchor.page) * PAGE_SIZE;
  return steps >= 0
    ? { from: anchor.start, towards: "end", skip: steps, take: PAGE_SIZE }
    : { from: anchor.start, towards: "beginning", skip: -steps - PAGE_SIZE, take: PAGE_SIZE };
}

/** How many there are in all; exact. */
export async function countReferrals(db: DbOrTx, filter: OverviewFilter, asked: Asked): Promise<number> {
  const row = await db
    .selectFrom("referral")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where(referralScope(asked.actor))
    .where(filterCondition(filter, { ...asked, walksNames: await isCommonName(db, filter) }))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** The row next to this one in the list, also when it no longer matches the filter itself; null at the ends. */
export async function findNeighbour(db: DbOrTx, list: List, id: number, towards: Place["towards"]): Promise<number | null> {
  const start = await findStart(db, list, id);
  if (start === null) return null;
  // Onwards the row itself comes first, where it still matches; back it is left out.
  const near = await findIds(db, list, { from: start, towards, skip: 0, take: towards === "end" ? 2 : 1 });
  return near.find((candidate) => candidate !== id) ?? null;
}
