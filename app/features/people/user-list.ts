import { activity } from "~/features/directory/activity";
import type { ListView, SortColumn } from "~/lists/list";
import { paths } from "~/paths";

export interface UserFilter {
  status?: number;
  clinicId?: number;
  search?: string;
  onlyEmptyDentistId?: true;
}

export const userColumns = [
  { key: 0, label: "Brugernavn", ascendsFirst: true },
  { key: 1, label: "Opdater" },
] as const satisfies SortColumn[];

export const userView: ListView<UserFilter, (typeof userColumns)[number]["key"]> = {
  name: "users",
  path: paths.users,
  filterName: "filterUsers",
  filters: {
    status: { label: "Status", control: "choice", choices: activity, isFirst: true },
    clinicId: { label: "Klinik", control: "clinic", isTyped: true, isFirst: true },
    search: { label: "Søg", control: "text", isFirst: true },
    onlyEmptyDentistId: { label: "Kun tomt henviser ID", control: "box", isFirst: true },
  },
  columns: userColumns,
  defaultSort: { key: 1, ascending: false },
};
