import type { Expression, SelectQueryBuilder, SqlBool } from "kysely";
import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import type { Database } from "~db/schema";
import type { Actor, Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import { filterFields } from "./filter-rules.server";
import { allowedFilter, type FilterDefinitions } from "./filters";
import { type ListSort, parseSort, type SortColumn } from "./sort";
import type { NameMatch } from "./token-search.server";

const MAX_COUNTED = 10_000;

export interface FilterContext {
  actor: Actor;
  secrets: Secrets;
  /** How rows are found by name (docs/decisions/0030). */
  nameMatch?: NameMatch | undefined;
  /** Ids are found and sorted first from an index; only the page's rows are read whole. */
  isLong?: boolean;
  /**
   * The list is scanned in its sort order's index. Scope and filter then offer no index, or the database would sort all
   * their rows.
   */
  scansSortOrder?: boolean;
  /** Matching rows are found and sorted, whatever index the order has. */
  sortsFound?: boolean;
}

/** A filter's schema and predicate. */
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
  /** Unique column; every order ends with it. */
  idColumn: string;
  /** Rows in the actor's scope with the joins that filters and orders need. */
  scope(db: DbOrTx, actor: Actor, filterContext?: Pick<FilterContext, "scansSortOrder">): RowsQuery;
  /**
   * Sort orders unrelated to owner or age, such as names. A long list is scanned in that order, because the next match
   * is never far.
   */
  scannedSorts?: readonly K[];
  /**
   * Whether an order starts far from the matches, e.g. oldest numbers for new rows only; matches are then found and
   * sorted unless they are most of the table.
   */
  beginsFar?(filter: F, sort: ListSort<K>): boolean;
  /** Columns of a row with joins needed only for them; in `scope` they would prevent index-only reads. */
  select(rows: RowsQuery): RowsQuery<R>;
  /**
   * Sort orders indexed within one value of a column, such as status: each value's first rows are read and merged. No
   * values if the filter has its own index.
   */
  splitBy?: { column: string; sortKeys: readonly K[]; values(filter: F, sortKey: K): readonly number[] };
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
  scope(
    db: DbOrTx,
    actor: Actor,
    filterContext?: Pick<FilterContext, "scansSortOrder">,
  ): SelectQueryBuilder<DB, TB, object>;
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

/** The list for a person, without filters they may not use. */
export function openList<R extends { id: number }, F extends object, K extends number>(
  of: ListDefinition<R, F, K>,
  secrets: Secrets,
  person: Person,
  filter: F,
  sort: string | null | undefined,
): List<R, F, K> {
  return {
    of,
    filter: allowedFilter(of.filters, person, filter),
    sort: parseSort(sort, of.columns, of.defaultSort),
    filterContext: { actor: person, secrets },
  };
}

export type RowOf<L> = L extends ListDefinition<infer R, infer _F, infer _K> ? R : never;
