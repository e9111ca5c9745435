import type { Expression, SelectQueryBuilder, SqlBool } from "kysely";
import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import type { Database } from "~db/schema";
import type { Actor, Person } from "~/access/actor";
import { can } from "~/access/permissions";
import type { Secrets } from "~/access/secrets.server";
import { filterFields } from "./filter.server";
import { allowedFilter, type FilterDefinitions } from "./filters";
import { type ListSort, parseSort, type SortColumn } from "./sort";
import type { NameMatch } from "./token-search.server";

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
  /** How rows are found by name (docs/decisions/0030). */
  nameMatch?: NameMatch | undefined;
  /** Undefined: the database chooses. */
  strategy?: Strategy | undefined;
}

export interface FilterRule<V, EB> {
  schema: z.ZodType<V, unknown>;
  where(eb: EB, value: V, filterContext: FilterContext): Expression<SqlBool>;
}

export type FilterRules<F extends object, EB> = { readonly [K in keyof F]-?: FilterRule<NonNullable<F[K]>, EB> };

/**
 * Stored sort column; `falls` if it descends as the shown value ascends. `within` orders equal rows before ids: a
 * non-null column in the same index.
 */
export type SortBy = string | { column: string; falls?: true; within?: string };

/** A query over a list's rows; the list adds columns, order and limit. */
export type RowsQuery<R = object> = SelectQueryBuilder<Database, never, R>;

export interface NameSearch<F> {
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
  /** Statuses of a list with a filter of statuses: which may be chosen, and those of a person who has chosen none. */
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

/** The definition a feature writes, typed against its own tables. */
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
