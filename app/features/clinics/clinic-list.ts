import { activity } from "~/features/directory/activity";
import type { ListView, SortColumn } from "~/lists/list";
import { paths } from "~/paths";

export interface ClinicFilter {
  status?: number;
  search?: string;
}

export const clinicColumns = [{ key: 0, label: "Ændret" }] as const satisfies SortColumn[];

export const clinicView: ListView<ClinicFilter, (typeof clinicColumns)[number]["key"]> = {
  name: "clinics",
  path: paths.clinics,
  filterName: "filterClinics",
  filters: {
    status: { label: "Status", control: "choice", choices: activity, isFirst: true },
    search: { label: "Søg", control: "text", isFirst: true },
  },
  columns: clinicColumns,
  defaultSort: { key: 0, ascending: false },
};
