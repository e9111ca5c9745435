import { activity } from "~/features/directory/activity";
import type { FilterDefinitions } from "~/lists/filters";
import type { ListSort, SortColumn } from "~/lists/sort";

export interface UserFilter {
  status?: number;
  clinicId?: number;
  search?: string;
  /** Referrers without a Henviser id. */
  onlyEmptyDentistId?: true;
}

export const userFilters: FilterDefinitions<UserFilter> = {
  status: { label: "Status", control: "choice", choices: activity, isFirst: true },
  clinicId: { label: "Klinik", control: "clinic", isTyped: true, isFirst: true },
  search: { label: "Søg", control: "text", isFirst: true },
  onlyEmptyDentistId: { label: "Kun tomt henviser ID", control: "box", isFirst: true },
};

export const userColumns = [
  { key: 0, label: "Brugernavn", ascendsFirst: true },
  { key: 1, label: "Opdater" },
] as const satisfies SortColumn[];

export const defaultUserSort: ListSort<(typeof userColumns)[number]["key"]> = { key: 1, ascending: false };
