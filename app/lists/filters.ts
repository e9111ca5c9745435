import type { WithRoles } from "~/access/actor";
import { can, type Permission } from "~/access/permissions";
import { showDay } from "~/text/dates";

/** One filter of a list: read by the panel, the chips and the server. */
export interface FilterDefinition<V = unknown> {
  label: string;
  /** `link`: only a link sets it, and a chip shows it. */
  control: "text" | "cpr" | "number" | "date" | "statuses" | "referrer" | "clinic" | "surgeon" | "box" | "link";
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

interface Named {
  value: number;
  label: string;
}

/** What a filter's numbers are called. */
export interface FilterNames {
  clinics?: Named[];
  surgeons?: Named[];
  referrers?: Named[] | null;
  chosenReferrer?: Named | null;
  statuses?: Named[];
}

/** What the panel's fields hold for a filter, statuses left out; a box that is ticked holds `on`, a CPR number stands in two boxes. */
export function fieldsOf<F extends object>(definitions: FilterDefinitions<F>, filter: F): Record<string, string> {
  const texts = Object.entries(filter).flatMap(([key, value]) => {
    const { control } = definitions[key as keyof F];
    if (value === undefined || control === "statuses") return [];
    if (control === "cpr")
      return [
        ["cpr6", String(value).slice(0, 6)],
        ["cpr4", String(value).slice(7)],
      ];
    return [
      [key, control === "date" || control === "link" ? showDay(String(value)) : value === true ? "on" : String(value)],
    ];
  });
  return Object.fromEntries(texts) as Record<string, string>;
}

/** What is filtered by, in words, for the chips. The standard statuses of a role are no chip. */
export function describeFilter<F extends object>(
  definitions: FilterDefinitions<F>,
  filter: F,
  names: FilterNames = {},
  standardStatuses: number[] = [],
) {
  return filterEntries(definitions).flatMap(([name, { label, control }]) => {
    const key = name as keyof F & string;
    const value: unknown = filter[key];
    if (value === undefined) return [];
    if (control === "box") return [{ key, text: label }];
    if (control === "number") return [{ key, text: `${label} ${String(value)}` }];
    if (control === "date" || control === "link") return [{ key, text: `${label} ${showDay(String(value))}` }];
    if (control !== "statuses") return [{ key, text: `${label}: ${nameOf(control, value, names)}` }];
    const chosen = value as number[];
    if (chosen.length === standardStatuses.length && standardStatuses.every((status) => chosen.includes(status)))
      return [];
    const one = chosen.length === 1 && names.statuses?.find((status) => status.value === chosen[0]);
    return [{ key, text: one ? `${label}: ${one.label}` : `${label}: ${chosen.length} valgt` }];
  });
}

function nameOf(
  control: string,
  value: unknown,
  { clinics, surgeons, referrers, chosenReferrer }: FilterNames,
): string {
  const among = {
    clinic: clinics ?? [],
    surgeon: surgeons ?? [],
    referrer: [...(referrers ?? []), ...(chosenReferrer ? [chosenReferrer] : [])],
  }[control];
  return among
    ? (among.find((candidate) => candidate.value === value)?.label ?? `nr. ${String(value)}`)
    : String(value);
}
