import type { OverviewFilter } from "~/features/referrals/list/filter-sql.server";
import { filters } from "~/features/referrals/list/filters";
import type { ListView, SortColumn } from "~/lists/list";
import { paths } from "~/paths";
import { callUpStatuses } from "./call-up-states";

export type CallUpFilter = Pick<
  OverviewFilter,
  "patientName" | "cpr" | "visitNumber" | "dateFrom" | "dateTo" | "referrerId" | "statuses"
>;

const { patientName, cpr, visitNumber, dateFrom, dateTo, referrerId, statuses } = filters;
const values: readonly number[] = callUpStatuses.map(({ value }) => value);

export const callUpColumns = [
  { key: 1, label: "Nr." },
  { key: 2, label: "CPR-nummer", ascendsFirst: true },
  { key: 3, label: "Patient navn", ascendsFirst: true },
  { key: 4, label: "Dato" },
  { key: 6, label: "Status", ascendsFirst: true },
  { key: 7, label: "Indkald type", ascendsFirst: true },
  { key: 8, label: "Indkald dato" },
  { key: 9, label: "Indkald status", ascendsFirst: true },
] as const satisfies SortColumn[];

export const callUpView: ListView<CallUpFilter, (typeof callUpColumns)[number]["key"]> = {
  name: "callUps",
  path: paths.callUps,
  filterName: "filterCallUps",
  filters: {
    patientName,
    cpr,
    visitNumber,
    referrerId: { ...referrerId, isFirst: true },
    dateFrom,
    dateTo,
    statuses: { ...statuses, narrow: (chosen) => chosen.filter((value) => values.includes(value)) },
  },
  columns: callUpColumns,
  defaultSort: { key: 4, ascending: false },
};
