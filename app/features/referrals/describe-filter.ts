import { showDay } from "~/text/dates";
import { type FilterKey, filterEntries, filters, type OverviewFilter } from "./filters";

interface Named {
  value: number;
  label: string;
}

export interface FilterNames {
  clinics: Named[];
  surgeons: Named[];
  referrers: Named[] | null;
  chosenReferrer: Named | null;
  statuses: Named[];
}

/** What the form's fields hold for a filter, statuses left out; a box that is ticked holds `on`. */
export function fieldsOf({ cpr, statuses: _statuses, ...filter }: OverviewFilter): Record<string, string> {
  const texts = Object.entries(filter).map(([key, value]) => {
    const { control } = filters[key as FilterKey];
    return [key, control === "date" || control === "link" ? showDay(String(value)) : value === true ? "on" : String(value)];
  });
  return { ...Object.fromEntries(texts), ...(cpr ? { cpr6: cpr.slice(0, 6), cpr4: cpr.slice(7) } : {}) };
}

/** What is filtered by, in words, for the chips. The standard statuses of a role are no chip. */
export function describeFilter(filter: OverviewFilter, standard: number[], names: FilterNames): { key: FilterKey; text: string }[] {
  return filterEntries.flatMap(([key, { label, control }]) => {
    const value = filter[key];
    if (value === undefined) return [];
    if (control === "box") return [{ key, text: label }];
    if (control === "number") return [{ key, text: `${label} ${value}` }];
    if (control === "date" || control === "link") return [{ key, text: `${label} ${showDay(String(value))}` }];
    if (control !== "statuses") return [{ key, text: `${label}: ${nameOf(control, value, names)}` }];
    const chosen = filter.statuses ?? [];
    if (chosen.length === standard.length && standard.every((status) => chosen.includes(status))) return [];
    const one = chosen.length === 1 && names.statuses.find((status) => status.value === chosen[0]);
    return [{ key, text: one ? `${label}: ${one.label}` : `${label}: ${chosen.length} valgt` }];
  });
}

function nameOf(control: string, value: unknown, { clinics, surgeons, referrers, chosenReferrer }: FilterNames): string {
  const among = { clinic: clinics, surgeon: surgeons, referrer: [...(referrers ?? []), ...(chosenReferrer ? [chosenReferrer] : [])] }[control];
  return among ? (among.find((candidate) => candidate.value === value)?.label ?? `nr. ${String(value)}`) : String(value);
}
