import type { ListView } from "~/lists/list";
import { paths } from "~/paths";
import { importStatuses } from "./import-rules";
import { dayFilters } from "~/lists/filters";

export interface ImportLogFilter {
  visitNumber?: number;
  /** Six digits, or the whole number `DDMMYY-XXXX`. */
  cpr?: string;
  /** Days of the import in Copenhagen, `YYYY-MM-DD`, both included. */
  dateFrom?: string;
  dateTo?: string;
  status?: number;
  externalCode?: string;
}

export const importLogView: ListView<ImportLogFilter, 1> = {
  name: "importLog",
  path: `${paths.settings}#importlog`,
  filterName: "filterImportLog",
  filters: {
    visitNumber: { label: "Visitations nr.", control: "number", isFirst: true },
    cpr: { label: "CPR-Nummer", control: "cpr", isFirst: true },
    ...dayFilters,
    status: { label: "Status", control: "choice", choices: importStatuses },
    externalCode: { label: "Ekstern kode", control: "text" },
  },
  columns: [{ key: 1, label: "Importtid" }],
  defaultSort: { key: 1, ascending: false },
};
