import { filters, type OverviewFilter } from "~/features/referrals/list/filters";
import type { FilterDefinitions } from "~/lists/filters";
import type { ListSort, SortColumn } from "~/lists/sort";

export type DraftFilter = Pick<
  OverviewFilter,
  "patientName" | "cpr" | "visitNumber" | "dateFrom" | "dateTo" | "referrerId"
>;

const { patientName, cpr, visitNumber, dateFrom, dateTo, referrerId } = filters;
export const draftFilters: FilterDefinitions<DraftFilter> = {
  patientName,
  cpr,
  visitNumber,
  dateFrom,
  dateTo,
  referrerId: { ...referrerId, isFirst: true },
};

export const draftColumns = [
  { key: 1, label: "Nr.", ascendsFirst: true },
  { key: 2, label: "CPR-nummer", ascendsFirst: true },
  { key: 3, label: "Patient navn", ascendsFirst: true },
  { key: 4, label: "Oprettet", ascendsFirst: true },
  { key: 5, label: "Ændret", ascendsFirst: true },
  { key: 6, label: "Ændret af", ascendsFirst: true },
] as const satisfies SortColumn[];

type DraftSortKey = (typeof draftColumns)[number]["key"];

export const defaultDraftSort: ListSort<DraftSortKey> = { key: 5, ascending: false };
