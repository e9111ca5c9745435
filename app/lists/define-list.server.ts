import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import type { Database } from "~db/schema";
import type { Actor, Person } from "~/access/actor";
import { can } from "~/access/permissions";
import type { Secrets } from "~/access/secrets.server";
import { filterFields } from "./filter.server";
import { allowedFilter, type FilterDefinitions } from "./filters";
import { type ListSort, parseSort, type SortColumn } from "./list";
import { searchedWords } from "~/text/names";

const MAX_COUNTED = 10_000;

/**
 * How a page's ids are found where the database is known to choose the slower way.
 * `scan`: in the index of the sort order, passing rows that do not match; scope and filter offer no index. Fast with
 * many matches: of 5,000 in a million rows, twenty are found among about 4,000.
 * `sort`: all matches are found by the filter's indexes and then sorted. Fast with few matches, or if they begin far
 * inside the order: 300,000 are sorted in 23 ms, while a million rows are passed in 550 ms.
 */
export type Strategy = "scan" | "sort";

export interface FilterContext {
  actor: Actor;
  secrets: Secrets;
  nameMatch?: NameMatch;
  strategy?: Strategy;
}

export interface FilterRule<V, EB> {
  schema: z.ZodType<V, unknown>;
  where(eb: EB, value: V, filterContext: FilterContext): Expression<SqlBool>;
}

/** The values that these rules take: one that is absent does not apply. */
export type ValuesOf<T> = { [K in keyof T]?: T[K] extends FilterRule<infer V, any> ? V : never };

export type FilterRules<F extends object, EB> = { readonly [K in keyof F]-?: FilterRule<NonNullable<F[K]>, EB> };

/**
 * Stored sort column; `falls` if it descends as the shown value ascends. `within` orders equal rows before ids: a
 * non-null column in the same index.
 */
type SortBy = string | { column: string; falls?: true; within?: string };

/** A query over a list's rows; the list adds columns, order and limit. */
export type RowsQuery<R = object> = SelectQueryBuilder<Database, never, R>;

interface NameSearch<F> {
  textOf(filter: F): string | undefined;
  findMatch(db: DbOrTx, text: string): Promise<NameMatch>;
}

export interface ListDefinition<
  R extends { id: number } = { id: number },
  F extends object = object,
  K extends number = number,
> {
  name: string;
  filters: FilterDefinitions<F>;
  rules: FilterRules<F, unknown>;
  /** Schema of sealed filters; created once, since zod compiles on first use. */
  sealedFilter: z.ZodType;
  columns: readonly SortColumn<K>[];
  sortBy: Readonly<Record<K, SortBy>>;
  defaultSort: ListSort<K>;
  idColumn: string;
  /** All statuses of the filter, and those of a person who has chosen none. */
  statuses?: { all: readonly number[]; standard(person: Person): readonly number[] };
  /** Rows in the actor's scope with the joins that filters and orders need. */
  scope(db: DbOrTx, actor: Actor, strategy?: Strategy): RowsQuery;
  /** Columns of a row with joins needed only for them; in `scope` they would prevent index-only reads. */
  select(rows: RowsQuery): RowsQuery<R>;
  /** Undefined: the database chooses. `countUpTo` counts the matches, and stops at a number. */
  strategy?(filter: F, sort: ListSort<K>, countUpTo: (max: number) => Promise<number>): Promise<Strategy | undefined>;
  /**
   * Sort orders whose index begins with a column, such as (status, date): each of its values is scanned by itself, and
   * the parts are merged. No values if the filter has an index of its own. Without this MariaDB passes every row of the
   * values without matches (2.3 s of a million rows; 65 ms in parts).
   */
  indexedWithin?: { column: string; sortKeys: readonly K[]; values(filter: F, sortKey: K): readonly number[] };
  /** Counting stops here: more is shown as 'over 10.000'. */
  maxCounted: number;
  nameSearch?: NameSearch<F>;
  /** A filter without personal data as readable text for addresses; null otherwise. */
  encodePublic?(filter: F): string | null;
  decodePublic?(text: string): unknown;
}

type OwnDefinition<DB, TB extends keyof DB, F extends object, EB, K extends number, R extends { id: number }> = Omit<
  ListDefinition<R, F, K>,
  "rules" | "scope" | "select" | "maxCounted" | "sealedFilter"
> & {
  rules: FilterRules<F, EB>;
  scope(db: DbOrTx, actor: Actor, strategy?: Strategy): SelectQueryBuilder<DB, TB, object>;
  select(rows: SelectQueryBuilder<DB, TB, object>): SelectQueryBuilder<any, any, R>;
  maxCounted?: number;
};

/** Defines a list: filters, columns and scope. Only here is the query's table type known. */
export function defineList<DB, TB extends keyof DB, F extends object, EB, K extends number, R extends { id: number }>(
  definition: OwnDefinition<DB, TB, F, EB, K, R>,
): ListDefinition<R, F, K> {
  const sealedFilter = z.strictObject(filterFields(definition.rules, (schema) => schema.optional()));
  return { maxCounted: MAX_COUNTED, sealedFilter, ...definition } as unknown as ListDefinition<R, F, K>;
}

export interface List<R extends { id: number } = { id: number }, F extends object = object, K extends number = number> {
  of: ListDefinition<R, F, K>;
  filter: F;
  sort: ListSort<K>;
  filterContext: FilterContext;
}

const mayUse = (person: Person, { permission }: SortColumn) => permission === undefined || can(person, permission);

/** The list for a person, without filters and orders they may not use, and with their statuses if none are chosen. */
export function openList<R extends { id: number }, F extends object, K extends number>(
  of: ListDefinition<R, F, K>,
  { secrets }: { secrets: Secrets },
  person: Person,
  filter: F,
  sort: string | null | undefined,
): List<R, F, K> {
  const standard = of.statuses &&
    !("statuses" in filter && filter.statuses) && { statuses: of.statuses.standard(person) };
  return {
    of,
    filter: allowedFilter(of.filters, person, { ...filter, ...standard }),
    sort: parseSort(sort, { ...of, columns: of.columns.filter((column) => mayUse(person, column)) }),
    filterContext: { actor: person, secrets },
  };
}

export type RowOf<L> = L extends ListDefinition<infer R, infer _F, infer _K> ? R : never;

interface TokenTable {
  table: string;
  reference: string;
  /** Name of the database's index of `reference`. */
  index: string;
  id: string;
}

/** Sorts after every continuation of a prefix. */
export const END_OF_PREFIX = "\uffff";

/** With more matches the list is scanned in order, because the next match is near. */
const COMMON = 2000;

/** Rows counted per word to find the rarest. */
const MAX_WEIGHED = 20_000;

/**
 * How rows with all words are found. An array: all ids, since they are few. `scanInOrder`: scan the list and check
 * words per row. Undefined: look up each word.
 */
export type NameMatch = readonly number[] | "scanInOrder";

/** Finds rows by word beginnings in any order (docs/decisions/0030). */
export function tokenSearch({ table, reference, index, id }: TokenTable) {
  const [tokens, row, own] = [sql.table(table), sql.ref(`${table}.${reference}`), sql.ref(id)];
  const begins = (word: string, of = table) =>
    sql`${sql.ref(`${of}.token`)} >= ${word} and ${sql.ref(`${of}.token`)} < ${word + END_OF_PREFIX}`;
  const isFound = (word: string) => sql<boolean>`${own} in (select ${row} from ${tokens} where ${begins(word)})`;
  // With old statistics MariaDB reads every row that has the word; SQLite takes its hint for a comment.
  const byReference = sql.raw(`/*! force index (${index}) */`);
  // The limit prevents a rewrite to the `in` query above.
  const hasWord = (word: string, of = own) =>
    sql<boolean>`(select ${sql.ref(`other.${reference}`)} from ${tokens} as ${sql.ref("other")} ${byReference}
      where ${sql.ref(`other.${reference}`)} = ${of} and ${begins(word, "other")} limit 1) is not null`;
  const withAll = ([first, ...others]: string[], max: number) => {
    const conditions = [begins(first!), ...others.map((word) => hasWord(word, row))];
    return sql<{ id: number }>`
      select distinct ${row} as id from ${tokens} where ${sql.join(conditions, sql` and `)} limit ${sql.lit(max)}`;
  };
  const rarestFirst = async (db: DbOrTx, words: string[]) => {
    if (words.length < 2) return words;
    const counts = words.map(
      (word, nth) =>
        sql`select ${sql.lit(nth)} as word, count(*) as found
          from (select ${row} from ${tokens} where ${begins(word)} limit ${sql.lit(MAX_WEIGHED)}) as counted`,
    );
    const { rows } = await sql<{ word: number; found: number }>`${sql.join(counts, sql` union all `)}`.execute(db);
    return rows.toSorted((one, other) => one.found - other.found).map(({ word }) => words[word]!);
  };
  return {
    where(text: string, match?: NameMatch) {
      if (match?.length === 0) return sql<boolean>`1 = 0`;
      // Inlined: SQLite allows 32,766 values, and every part of a list repeats them.
      if (Array.isArray(match)) return sql<boolean>`${own} in (${sql.join(match.map((each) => sql.lit(each)))})`;
      const hasEach = searchedWords(text).map((word) => (match === "scanInOrder" ? hasWord(word) : isFound(word)));
      return sql<boolean>`(${sql.join(hasEach, sql` and `)})`;
    },
    async findMatch(db: DbOrTx, text: string): Promise<NameMatch> {
      const words = await rarestFirst(db, searchedWords(text));
      const { rows } = await withAll(words, COMMON + 1).execute(db);
      return rows.length > COMMON ? "scanInOrder" : rows.map(({ id: found }) => found);
    },
  };
}
