import type { WithRoles } from "~/access/actor";
import { can, type Permission } from "~/access/permissions";

/** A list's filter, used by panel, chips and server. */
export interface FilterDefinition<V = unknown> {
  label: string;
  /** `link`: set by links only, shown as a chip. */
  control:
    "text" | "cpr" | "number" | "date" | "choice" | "statuses" | "referrer" | "clinic" | "surgeon" | "box" | "link";
  /** Options of a `choice` besides 'Alle'. */
  choices?: readonly Named[];
  /** Searched while typing with JavaScript, a select without. */
  isTyped?: true;
  hint?: string;
  /** In the panel's first line; others under 'Flere filtre'. */
  isFirst?: true;
  /** Permission needed; default everybody. */
  permission?: Permission;
  narrow?(value: V, actor: WithRoles): V;
}

/** In panel order. */
export type FilterDefinitions<F extends object> = { readonly [K in keyof F]-?: FilterDefinition<NonNullable<F[K]>> };

type Entry = [string, FilterDefinition<unknown>];
export const filterEntries = (definitions: object) => Object.entries(definitions) as Entry[];

/** The filter without what the actor may not use. */
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

export interface FilterNames {
  clinics?: Named[];
  surgeons?: Named[];
  referrers?: Named[] | null;
  chosenReferrer?: Named | null;
}

type FilterValue = string | number | boolean | number[];

/** An active filter; `name` of an id value, null if unknown. */
export interface ActiveFilter {
  key: string;
  value: FilterValue;
  name: string | null;
}

/** Active filters in panel order, without default statuses. */
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

/** Whether two lists hold the same values. */
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
