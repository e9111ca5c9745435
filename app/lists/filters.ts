import type { WithRoles } from "~/access/actor";
import { can, type Permission } from "~/access/permissions";
import { showDay } from "~/text/dates";

export interface FilterDefinition<V = unknown> {
  label: string;
  /** `link`: set by links only, shown as a chip. */
  control:
    "text" | "cpr" | "number" | "date" | "choice" | "statuses" | "referrer" | "clinic" | "surgeon" | "box" | "link";
  choices?: readonly Named[];
  isTyped?: true;
  hint?: string;
  /** In the panel's first line; others under 'Flere filtre'. */
  isFirst?: true;
  permission?: Permission;
  narrow?(value: V, actor: WithRoles): V;
}

export type FilterDefinitions<F extends object> = { readonly [K in keyof F]-?: FilterDefinition<NonNullable<F[K]>> };

/** Filters for days, both included. */
export const dayFilters = {
  dateFrom: { label: "Fra", control: "date", isFirst: true },
  dateTo: { label: "Til", control: "date", isFirst: true },
} as const;

type Entry = [string, FilterDefinition<unknown>];
export const filterEntries = (definitions: object) => Object.entries(definitions) as Entry[];

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
  standardStatuses: readonly number[] = [],
): ActiveFilter[] {
  return filterEntries(definitions).flatMap(([key, { control }]) => {
    const value = filter[key as keyof F] as FilterValue | undefined;
    if (value === undefined) return [];
    if (control === "statuses" && isSameSet(value as number[], standardStatuses)) return [];
    return [{ key, value, name: nameOf(control, value, names) }];
  });
}

export const isSameSet = (some: readonly number[], others: readonly number[]) =>
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

type Definitions = Readonly<Record<string, FilterDefinition<any>>>;

export const presentFilter = <A extends ActiveFilter>(
  definitions: Definitions,
  { filter, active }: { filter: object; active: A[] },
  statuses: Named[] = [],
) => ({
  fields: fieldsOf(definitions, filter),
  active: active.map((each) => ({ ...each, text: filterText(definitions[each.key]!, each, statuses) })),
});

/** Values of the panel's fields without statuses; a checkbox is `on`, a CPR number in two boxes. */
export function fieldsOf(definitions: Definitions, filter: object): Record<string, string> {
  const texts = Object.entries(filter).flatMap(([key, value]) => {
    const { control } = definitions[key]!;
    if (value === undefined || control === "statuses") return [];
    if (control === "cpr")
      return [
        ["cpr6", String(value).slice(0, 6)],
        ["cpr4", String(value).slice(7)],
      ];
    return [
      [key, value === true ? "on" : control === "date" || control === "link" ? showDay(String(value)) : String(value)],
    ];
  });
  return Object.fromEntries(texts) as Record<string, string>;
}

function filterText(
  { label, control, choices }: FilterDefinition<any>,
  { value, name }: ActiveFilter,
  statuses: Named[],
): string {
  switch (control) {
    case "box":
      return label;
    case "number":
      return `${label} ${String(value)}`;
    case "date":
    case "link":
      return value === true ? label : `${label} ${showDay(String(value))}`;
    case "choice":
      return `${label}: ${choices?.find((choice) => choice.value === value)?.label ?? String(value)}`;
    case "clinic":
    case "surgeon":
    case "referrer":
      return `${label}: ${name ?? `nr. ${String(value)}`}`;
    case "statuses": {
      const chosen = value as number[];
      const one = chosen.length === 1 && statuses.find((status) => status.value === chosen[0]);
      return `${label}: ${one ? one.label : `${chosen.length} valgt`}`;
    }
    default:
      return `${label}: ${String(value)}`;
  }
}
