import type { ListView } from "~/lists/list";
import { paths } from "~/paths";
import { dayFilters } from "~/lists/filters";

export interface AccessFilter {
  visitNumber?: number;
  cpr?: string;
  userName?: string;
  dateFrom?: string;
  dateTo?: string;
}

export const accessView: ListView<AccessFilter, 1> = {
  name: "accesses",
  path: paths.accessLog(),
  filterName: "filterAccess",
  filters: {
    visitNumber: { label: "Nr.", control: "number", isFirst: true },
    cpr: { label: "CPR-nummer", control: "cpr", isFirst: true },
    userName: { label: "Brugernavn", control: "text", isFirst: true },
    ...dayFilters,
  },
  columns: [{ key: 1, label: "Tidspunkt" }],
  defaultSort: { key: 1, ascending: false },
};
