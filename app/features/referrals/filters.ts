/** The overview's filters: one entry each, read by the panel, the chips and the server (specification 1 §2, Filters). */
export type FilterKey = "patientName" | "cpr" | "visitNumber" | "dateFrom" | "dateTo" | "statuses";

export interface OverviewFilter {
  patientName?: string;
  /** Six digits, or the whole number `DDMMYY-XXXX`. */
  cpr?: string;
  visitNumber?: number;
  /** Calendar dates in Copenhagen, `YYYY-MM-DD`, both included. */
  dateFrom?: string;
  dateTo?: string;
  /** Absent means the default statuses of the role. */
  statuses?: number[];
}

export const filterLabels: Record<FilterKey, string> = {
  patientName: "Patient navn",
  cpr: "CPR-nummer",
  visitNumber: "Nr.",
  dateFrom: "Dato fra",
  dateTo: "Dato til",
  statuses: "Status",
};

/** Sort keys of the list and their columns (specification 1 §2). */
export const sortKeys = { 1: "id", 2: "cpr", 3: "patientName", 4: "patientAge", 5: "createDate", 7: "status" } as const;
export type SortKey = keyof typeof sortKeys;

export interface Sort {
  key: SortKey;
  ascending: boolean;
}

/** Newest first (specification 1 §2). */
export const defaultSort: Sort = { key: 5, ascending: false };

/** `5`, `-5`: the key, with a minus for descending; anything else is the default. */
export function parseSort(text: string | null): Sort {
  const key = Number(text?.replace("-", "")) as SortKey;
  return text && key in sortKeys ? { key, ascending: !text.startsWith("-") } : defaultSort;
}

export function sortParam({ key, ascending }: Sort): string {
  return `${ascending ? "" : "-"}${key}`;
}

export const PAGE_SIZE = 20;
