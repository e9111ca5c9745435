import { z } from "zod";
import type { Person } from "~/access/actor";
import { lookUp, read, type ReadContext, wholeNumber } from "~/access/operation.server";
import type { Permission } from "~/access/permissions";
import type { Portal } from "~/portal.server";
import { line } from "~/text/fields.server";
import { type List, type ListDefinition, openList } from "./define-list.server";
import { filterFields, filterForm, type Sealable, sealFilter, unsealFilter } from "./filter.server";
import { activeFilters, allowedFilter, type FilterNames, isSameSet } from "./filters";
import { type ListView, sortParam } from "./list";
import { pageByNumber, type PageRow, readPage, type RequestedPage } from "./read-page.server";

const position = {
  page: z.coerce.number<unknown>().int().min(1).max(1_000_000).catch(1),
  cursor: z.string().max(2000).nullish().catch(null),
};

export const listInput = <F extends object>({ rules }: Pick<Sealable<F>, "rules">) => ({
  sort: z.string().nullish(),
  ...position,
  f: z.string().nullish(),
  openId: wholeNumber.positive().nullish().catch(null),
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
    shown: (names?: FilterNames) => ({
      f: unsealed === null ? null : (f ?? null),
      wasReset: unsealed === null,
      filter: typed,
      active: activeFilters(list.filters, typed, names, list.statuses?.standard(person)).map((each) => ({
        ...each,
        without: sealFilter(list, secrets, person, { ...typed, [each.key]: undefined }),
      })),
    }),
  };
}

type Question<I extends z.ZodRawShape> = z.output<z.ZodObject<ReturnType<typeof listInput>>> & z.output<z.ZodObject<I>>;

interface Shown<R extends { id: number }, F extends object, K extends number, I extends z.ZodRawShape> {
  rows: PageRow<R>[];
  filter: F;
  list: List<R, F, K>;
  input: Question<I>;
}

interface PageDeclaration<
  R extends { id: number },
  F extends object,
  K extends number,
  I extends z.ZodRawShape,
  O extends { rows: unknown[]; names?: FilterNames },
> {
  list: ListDefinition<R, F, K>;
  view: ListView<F, K>;
  name: string;
  permission: Permission;
  input?: I;
  standard?(now: Date): F;
  /** Reads what the page shows besides its place in the list: rows, their audit, and the names of ids in the filter. */
  show(context: ReadContext, asked: Shown<R, F, K, I>): Promise<O>;
  /** Parameters that the filter form keeps of the address it was shown at. */
  keeps?(here: string | undefined): Record<string, string>;
}

/**
 * The two operations of a list's page: `read` answers a page of rows with the filter as it is shown, `lookUp` seals
 * what the filter form was sent ('Søg') and redirects to the list, so that no patient data is in the address.
 */
export function defineListPage<
  R extends { id: number },
  F extends object,
  K extends number,
  O extends { rows: unknown[]; names?: FilterNames },
  I extends z.ZodRawShape = Record<never, never>,
>({ list, view, name, permission, input, standard, show, keeps }: PageDeclaration<R, F, K, I, O>) {
  return {
    read: read({
      name,
      permission,
      input: z.object({ ...listInput(list), ...input }) as unknown as z.ZodType<Question<I>>,
      async run(context, asked) {
        const { portal, person, now } = context;
        const { typed, shown } = requestedFilter(list, portal, person, asked, standard?.(now));
        const opened = openList(list, portal, person, typed, asked.sort);
        const { rows, ...page } = await readPage(portal, person, opened, asked);
        const { names, ...answer } = await show(context, { rows, filter: typed, list: opened, input: asked });
        return { ...page, sort: sortParam(opened.sort), ...shown(names), ...answer };
      },
    }),
    lookUp: lookUp({
      name: view.filterName,
      permission,
      input: filterForm(list).and(z.object({ here: z.string().max(8000).optional() })),
      async run({ portal, person }, sent) {
        const { sort, here, ...typed } = sent as { sort?: string; here?: string };
        const filter = withoutStandard(list, person, allowedFilter(list.filters, person, typed as F));
        // Without a filter an address has the standard one, so an empty filter must be written too.
        const isWritten = standard !== undefined || Object.values(filter).some((value) => value !== undefined);
        const query = new URLSearchParams({
          ...(isWritten ? { f: sealFilter(list, portal.secrets, person, filter) } : {}),
          ...(sort && list.columns.length > 1 ? { sort } : {}),
          ...keeps?.(here),
        });
        return { to: addressOf(view.path, query) };
      },
    }),
  };
}

/** The filter without statuses that are those of a person who has chosen none. */
function withoutStandard<F extends object>({ statuses }: ListDefinition<any, F, any>, person: Person, filter: F): F {
  const { statuses: chosen } = filter as { statuses?: number[] };
  const isStandard = statuses && chosen && isSameSet(chosen, [...statuses.standard(person)]);
  return isStandard ? { ...filter, statuses: undefined } : filter;
}

/** A path with a query added before its anchor and after its own query. */
function addressOf(path: string, query: URLSearchParams): string {
  const [page = "", anchor] = path.split("#");
  const added = query.size === 0 ? "" : `${page.includes("?") ? "&" : "?"}${query.toString()}`;
  return `${page}${added}${anchor === undefined ? "" : `#${anchor}`}`;
}

/** Filter, order and column of a list whose newest rows are first and that is asked for one referral's. */
export const visitNumberFilter = { label: "Nr.", control: "number", isFirst: true } as const;

export const newestFirst = (idColumn: string) => ({
  columns: [{ key: 1 as const, label: "Nr." }],
  sortBy: { 1: idColumn },
  defaultSort: { key: 1 as const, ascending: false },
  idColumn,
});

export const numberedInput = {
  visitNumber: line.max(100).nullish(),
  ...position,
};

const NONE = { total: 0, isMore: false, page: 1, pageCount: 1, start: null, end: null };

/**
 * A page of one referral's rows, or all without a number. Non-numeric text matches nothing and sets `isWrongNumber`.
 * Empty filters are ignored.
 */
export async function readNumberedPage<R extends { id: number }, F extends { visitNumber?: number }, K extends number>(
  portal: Portal,
  person: Person,
  of: ListDefinition<R, F, K>,
  typed: { visitNumber?: string | null } & { [N in keyof Omit<F, "visitNumber">]?: F[N] | null },
  requested: RequestedPage,
) {
  const { visitNumber, ...others } = typed;
  const wanted = visitNumber ?? "";
  const isNumber = /^\d{1,9}$/.test(wanted);
  const isWrongNumber = wanted !== "" && !isNumber;
  const filter = Object.fromEntries(
    Object.entries({ ...others, visitNumber: isNumber ? Number(wanted) : null }).filter(([, value]) => value != null),
  ) as unknown as F;
  const { rows, ...page } = isWrongNumber
    ? { rows: [] as PageRow<R>[], ...NONE }
    : await readPage(portal, person, openList(of, portal, person, filter, null), requested);
  return { rows, page: { ...page, visitNumber: wanted, isWrongNumber } };
}
