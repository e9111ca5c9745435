import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Portal } from "~/portal.server";
import { filterFields } from "./filter-rules.server";
import { activeFilters, allowedFilter, type FilterNames } from "./filters";
import { pageByNumber } from "./read-page.server";
import { sealFilter, type Sealable, unsealFilter } from "./seal-filter.server";

export const listInput = <F extends object>({ rules }: Pick<Sealable<F>, "rules">) => ({
  sort: z.string().nullish(),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  cursor: z.string().max(2000).nullish().catch(null),
  f: z.string().nullish(),
  /** The open row, which keeps its place even when it no longer matches. */
  openId: z.coerce.number().int().positive().nullish().catch(null),
  filter: z.object(filterFields(rules, (schema) => schema.optional())).optional(),
  ...pageByNumber,
});

/**
 * The requested filter: sealed in an address, plain from the API, or the list's default, also for a broken seal.
 * `shown` is displayed; `names` are those of ids in it.
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
        /** The list's address without this filter. */
        without: sealFilter(list, secrets, person, { ...typed, [each.key]: undefined }),
      })),
    }),
  };
}
