import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Portal } from "~/portal.server";
import { filterFields } from "./filter-rules.server";
import { activeFilters, allowedFilter, type FilterNames } from "./filters";
import { pageByNumber } from "./read-page.server";
import { sealFilter, type Sealable, unsealFilter } from "./seal-filter.server";

/** What the page and the API ask every list for: order, page, filter, and the row that is open. */
export const listInput = <F extends object>({ rules }: Pick<Sealable<F>, "rules">) => ({
  sort: z.string().nullish(),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  /** The sealed position that the page is stepped to from. */
  cursor: z.string().max(2000).nullish().catch(null),
  f: z.string().nullish(),
  /** The row that is open: it stays where it stood, also when the filter lets it through no more. */
  openId: z.coerce.number().int().positive().nullish().catch(null),
  /** The filter as it is, for a caller whose address nobody else reads; what a role may not filter by is left out. */
  filter: z.object(filterFields(rules, (schema) => schema.optional())).optional(),
  ...pageByNumber,
});

/**
 * The requested filter: sealed in an address, plain from the API, or the list's default, which also replaces a filter whose seal is broken.
 * `shown` is what the page shows of it; `names` are the names of the people and places whose ids it holds.
 */
export function requestedFilter<F extends object>(
  list: Sealable<F>,
  { secrets }: Pick<Portal, "secrets">,
  person: Person,
  { f, filter }: { f?: string | null; filter?: object },
  standard = {} as F,
) {
  const unsealed = f
    ? unsealFilter(list, secrets, person, f)
    : allowedFilter(list.filters, person, (filter ?? standard) as F);
  const typed = unsealed ?? standard;
  return {
    typed,
    shown: (names?: FilterNames, standardStatuses?: number[]) => ({
      f: unsealed === null ? null : (f ?? null),
      wasReset: unsealed === null,
      filter: typed,
      active: activeFilters(list.filters, typed, names, standardStatuses).map((each) => ({
        ...each,
        /** The address of the same list without this one filter. */
        without: sealFilter(list, secrets, person, { ...typed, [each.key]: undefined }),
      })),
    }),
  };
}
