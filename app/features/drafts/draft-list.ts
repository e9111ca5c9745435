import type { OverviewFilter } from "~/features/referrals/list/filter-sql.server";
import { filters } from "~/features/referrals/list/filters";
import type { ListView, SortColumn } from "~/lists/list";
import { paths } from "~/paths";

export type DraftFilter = Pick<
  OverviewFilter,
  "patientName" | "cpr" | "visitNumber" | "dateFrom" | "dateTo" | "referrerId"
>;

const { patientName, cpr, visitNumber, dateFrom, dateTo, referrerId } = filters;

export const draftColumns = [
  { key: 1, label: "Nr.", ascendsFirst: true },
  { key: 2, label: "CPR-nummer", ascendsFirst: true },
  { key: 3, label: "Patient navn", ascendsFirst: true },
  { key: 4, label: "Oprettet", ascendsFirst: true },
  { key: 5, label: "Ændret", ascendsFirst: true },
  { key: 6, label: "Ændret af", ascendsFirst: true },
] as const satisfies SortColumn[];

export const draftView: ListView<DraftFilter, (typeof draftColumns)[number]["key"]> = {
  name: "drafts",
  path: paths.drafts,
  filterName: "filterDrafts",
  filters: { patientName, cpr, visitNumber, dateFrom, dateTo, referrerId: { ...referrerId, isFirst: true } },
  columns: draftColumns,
  defaultSort: { key: 5, ascending: false },
};
