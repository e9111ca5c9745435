import type { FilterDefinitions } from "~/lists/filters";

export interface AccessFilter {
  visitNumber?: number;
  cpr?: string;
  userName?: string;
  dateFrom?: string;
  dateTo?: string;
}

export const accessFilters: FilterDefinitions<AccessFilter> = {
  visitNumber: { label: "Nr.", control: "number", isFirst: true },
  cpr: { label: "CPR-nummer", control: "cpr", isFirst: true },
  userName: { label: "Brugernavn", control: "text", isFirst: true },
  dateFrom: { label: "Fra", control: "date", isFirst: true },
  dateTo: { label: "Til", control: "date", isFirst: true },
};
