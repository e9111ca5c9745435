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

/** Who asks, and with which keys. */
export interface FilterContext {
  actor: Actor;
  secrets: Secrets;
  /** How rows are found by a name (docs/decisions/0030). */
  nameMatch?: NameMatch | undefined;
  /** Ids are found and put in order first, from an index alone, and only the page's own rows are read whole. */
  isLong?: boolean;
  /**
   * The list is scanned in the index of its sort order. Scope and filter offer no index of their own, because the database would then read all
   * their rows and sort them.
   */
  scansSortOrder?: boolean;
  /** The rows are found and sorted, whatever index the order has. */
  sortsFound?: boolean;
}

/** How a filter's value is read, and which rows it lets through. */
export interface FilterRule<V, EB> {
  /** Reads what was typed, what a sealed filter holds, and what the API is sent alike. */
  schema: z.ZodType<V, unknown>;
  where(eb: EB, value: V, filterContext: FilterContext): Expression<SqlBool>;
}

/** One schema and predicate a filter; forgetting one is a type error. */
export type FilterRules<F extends object, EB> = { readonly [K in keyof F]-?: FilterRule<NonNullable<F[K]>, EB> };

/**
 * The stored column that a list is sorted by; `falls` where its value falls as what is shown rises. `within` orders the rows of one value
 * before their ids do: a column that is never null, where an index holds both.
 */
export type SortBy = string | { column: string; falls?: true; within?: string };

/** A query over a list's rows; its columns, order and limit are added by the list. */
export type RowsQuery<R = object> = SelectQueryBuilder<Database, never, R>;

export interface NameSearch<F> {
  textOf(filter: F): string | undefined;
  findMatch(db: DbOrTx, text: string): Promise<NameMatch>;
}

/** A list as `lists/` reads it. */
export interface ListDefinition<
  R extends { id: number } = { id: number },
  F extends object = object,
  K extends number = number,
> {
  /** In seals and in the names of cached answers. */
  name: string;
  filters: FilterDefinitions<F>;
  rules: FilterRules<F, unknown>;
  /** What a sealed filter may hold, by the rules. Made once a list: zod compiles a schema at its first use. */
  sealedFilter: z.ZodType;
  columns: readonly SortColumn<K>[];
  sortBy: Readonly<Record<K, SortBy>>;
  defaultSort: ListSort<K>;
  /** The column that tells rows apart; every order ends with it. */
  idColumn: string;
  /** Every row that the actor may see, with the joins that an order or a filter needs. */
  scope(db: DbOrTx, actor: Actor, filterContext?: Pick<FilterContext, "scansSortOrder">): RowsQuery;
  /**
   * Sort orders that do not depend on whose or how old a row is, such as a name. A long list is scanned in such an order: the next matching row
   * is never far, while sorting would read them all.
   */
  scannedSorts?: readonly K[];
  /**
   * Whether an order begins far from the rows that a filter leaves, such as the oldest numbers where only new rows are asked for: they are found
   * first and sorted, as long as they are not most of the table.
   */
  beginsFar?(filter: F, sort: ListSort<K>): boolean;
  /** What is read of a row, with the joins that it alone needs: in `scope` they would keep an index from answering for the ids. */
  select(rows: RowsQuery): RowsQuery<R>;
  /**
   * Sort orders that are indexed only within one value of a column, such as a status: the first rows of each value are read separately and
   * merged. No values when the filter has an index of its own.
   */
  splitBy?: { column: string; sortKeys: readonly K[]; values(filter: F, sortKey: K): readonly number[] };
  /** Rows are counted no further than this: what is beyond is told as 'over 10.000', and reached page by page. */
  maxCounted: number;
  /** Which name a filter holds, if any, and how the rows with that name are found. */
  nameSearch?: NameSearch<F>;
  /** A filter that says nothing about anybody may stand in an address as text, for colleagues too; null for any other. */
  encodePublic?(filter: F): string | null;
  decodePublic?(text: string): unknown;
}

/** The same over its own tables, as a feature writes it. */
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

/** Defines a list: what may be filtered by, its columns, whose rows it holds. Which tables a query stands on is known here alone. */
export function defineList<DB, TB extends keyof DB, F extends object, EB, K extends number, R extends { id: number }>(
  definition: OwnDefinition<DB, TB, F, EB, K, R>,
): ListDefinition<R, F, K> {
  const sealedFilter = z.strictObject(filterFields(definition.rules, (schema) => schema.optional()));
  return { maxCounted: MAX_COUNTED, sealedFilter, ...definition } as unknown as ListDefinition<R, F, K>;
}

/** A list that somebody asked for: which rows, in which order. */
export interface List<R extends { id: number } = { id: number }, F extends object = object, K extends number = number> {
  of: ListDefinition<R, F, K>;
  filter: F;
  sort: ListSort<K>;
  filterContext: FilterContext;
}

/** The list for a person, without what they may not filter by. */
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

/** What a row of a list holds. */
export type RowOf<L> = L extends ListDefinition<infer R, infer _F, infer _K> ? R : never;
