import type { FilterDefinitions } from "~/lists/filters";

export interface AccessFilter {
  visitNumber?: number;
  /** Six digits, or the whole number `DDMMYY-XXXX`. */
  cpr?: string;
  userName?: string;
  /** Days in Copenhagen, `YYYY-MM-DD`, both included. */
  dateFrom?: string;
  dateTo?: string;
}

/** By what the log of accesses is searched. */
export const accessFilters: FilterDefinitions<AccessFilter> = {
  visitNumber: { label: "Nr.", control: "number", isFirst: true },
  cpr: { label: "CPR-nummer", control: "cpr", isFirst: true },
  userName: { label: "Brugernavn", control: "text", isFirst: true },
  dateFrom: { label: "Fra", control: "date", isFirst: true },
  dateTo: { label: "Til", control: "date", isFirst: true },
};
