import { activity } from "~/features/directory/activity";
import type { FilterDefinitions } from "~/lists/filters";
import type { ListSort, SortColumn } from "~/lists/sort";

export interface ClinicFilter {
  status?: number;
  search?: string;
}

export const clinicFilters: FilterDefinitions<ClinicFilter> = {
  status: { label: "Status", control: "choice", choices: activity, isFirst: true },
  search: { label: "Søg", control: "text", isFirst: true },
};

export const clinicColumns = [{ key: 0, label: "Ændret" }] as const satisfies SortColumn[];

export const defaultClinicSort: ListSort<(typeof clinicColumns)[number]["key"]> = { key: 0, ascending: false };
