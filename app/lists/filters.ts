import type { WithRoles } from "~/access/actor";
import { can, type Permission } from "~/access/permissions";

/** One filter of a list: read by the panel, the chips and the server. */
export interface FilterDefinition<V = unknown> {
  label: string;
  /** `link`: only a link sets it, and a chip shows it. */
  control:
    "text" | "cpr" | "number" | "date" | "choice" | "statuses" | "referrer" | "clinic" | "surgeon" | "box" | "link";
  /** What a `choice` is among, besides 'Alle'. */
  choices?: readonly Named[];
  /** Found while typing where there is JavaScript, a list without: for the many. */
  isTyped?: true;
  /** What is not to be guessed about how it searches. */
  hint?: string;
  /** Stands in the panel's first line; the rest under 'Flere filtre'. */
  isFirst?: true;
  /** Who may filter by it; everybody unless told. */
  permission?: Permission;
  /** What of a value this actor may filter by. */
  narrow?(value: V, actor: WithRoles): V;
}

/** In the order of the panel. */
export type FilterDefinitions<F extends object> = { readonly [K in keyof F]-?: FilterDefinition<NonNullable<F[K]>> };

type Entry = [string, FilterDefinition<unknown>];
export const filterEntries = (definitions: object) => Object.entries(definitions) as Entry[];

/** The filter without what this actor may not filter by. */
export function allowedFilter<F extends object>(definitions: FilterDefinitions<F>, actor: WithRoles, filter: F): F {
  const values = filter as Record<string, unknown>;
  return Object.fromEntries(
    filterEntries(definitions).flatMap(([key, { permission, narrow }]) => {
      if (values[key] === undefined || (permission && !can(actor, permission))) return [];
      return [[key, narrow ? narrow(values[key], actor) : values[key]]];
    }),
  ) as F;
}

export interface Named {
  value: number;
  label: string;
}

/** What the people and places are called that a filter holds the numbers of. */
export interface FilterNames {
  clinics?: Named[];
  surgeons?: Named[];
  referrers?: Named[] | null;
  chosenReferrer?: Named | null;
}

type FilterValue = string | number | boolean | number[];

/** A filter that is on. Where its value is the number of a person or place, `name` is what that is called; null where nobody knows it. */
export interface ActiveFilter {
  key: string;
  value: FilterValue;
  name: string | null;
}

/** The filters that are on, in the order of the panel. The standard statuses of a role are none. */
export function activeFilters<F extends object>(
  definitions: FilterDefinitions<F>,
  filter: F,
  names: FilterNames = {},
  standardStatuses: number[] = [],
): ActiveFilter[] {
  return filterEntries(definitions).flatMap(([key, { control }]) => {
    const value = filter[key as keyof F] as FilterValue | undefined;
    if (value === undefined) return [];
    if (control === "statuses" && isSameSet(value as number[], standardStatuses)) return [];
    return [{ key, value, name: nameOf(control, value, names) }];
  });
}

/** Whether two lists hold the same values, in any order. */
export const isSameSet = (some: number[], others: number[]) =>
  some.length === others.length && others.every((each) => some.includes(each));

function nameOf(
  control: FilterDefinition["control"],
  value: FilterValue,
  { clinics, surgeons, referrers, chosenReferrer }: FilterNames,
): string | null {
  const among: Partial<Record<FilterDefinition["control"], Named[]>> = {
    clinic: clinics ?? [],
    surgeon: surgeons ?? [],
    referrer: [...(referrers ?? []), ...(chosenReferrer ? [chosenReferrer] : [])],
  };
  return among[control]?.find((candidate) => candidate.value === value)?.label ?? null;
}
