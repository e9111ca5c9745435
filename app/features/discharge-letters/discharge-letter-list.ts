import type { OverviewFilter } from "~/features/referrals/list/filter-sql.server";
import { filters } from "~/features/referrals/list/filters";
import type { ListView, SortColumn } from "~/lists/list";
import { paths } from "~/paths";

export type DischargeFilter = Pick<
  OverviewFilter,
  "patientName" | "cpr" | "visitNumber" | "dateFrom" | "dateTo" | "referrerId" | "onlyEdi"
> & { onlyQueued?: true; onlyFailed?: true; onlyWithoutPdf?: true };

const { patientName, cpr, visitNumber, dateFrom, dateTo, referrerId } = filters;
const work = { control: "link", permission: "dischargeLetter.manage" } as const;

export const dischargeColumns = [
  { key: 1, label: "Dato" },
  { key: 2, label: "Visit nr." },
  { key: 3, label: "CPR-nummer", ascendsFirst: true },
  { key: 4, label: "Patient navn", ascendsFirst: true },
] as const satisfies SortColumn[];

export const dischargeView: ListView<DischargeFilter, (typeof dischargeColumns)[number]["key"]> = {
  name: "dischargeLetters",
  path: paths.dischargeLetters,
  filterName: "filterDischargeLetters",
  filters: {
    patientName,
    visitNumber,
    cpr,
    referrerId: { ...referrerId, isFirst: true },
    dateFrom,
    dateTo,
    onlyEdi: { label: "Kun EDI", control: "box", isFirst: true },
    onlyQueued: { label: "Afventer i kø", ...work },
    onlyFailed: { label: "Mislykkedes", ...work },
    onlyWithoutPdf: { label: "Mangler PDF", ...work },
  },
  columns: dischargeColumns,
  defaultSort: { key: 1, ascending: false },
};
