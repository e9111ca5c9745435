import type { FilterDefinitions } from "~/lists/filters";
import type { ListView, SortColumn } from "~/lists/list";
import { paths } from "~/paths";
import { visibleStatus } from "~/features/referrals/model/status";
import { TO_BE_TOLD } from "~/features/referrals/model/told-time";
import type { OverviewFilter } from "./filter-sql.server";

export const filters = {
  patientName: { label: "Patient navn", control: "text", isFirst: true },
  cpr: { label: "CPR-nummer", control: "cpr", isFirst: true },
  visitNumber: { label: "Nr.", control: "number", isFirst: true },
  dateFrom: { label: "Dato fra", control: "date", isFirst: true },
  dateTo: { label: "Dato til", control: "date", isFirst: true },
  statuses: {
    label: "Status",
    control: "statuses",
    isFirst: true,
    narrow: (values, actor) => values.filter((value) => value === visibleStatus(value, actor)),
  },
  referrerId: { label: "Henviser", control: "referrer", permission: "referral.chooseReferrer" },
  clinicId: { label: "Klinik", control: "clinic" },
  surgeonId: { label: "Kirurg", control: "surgeon", permission: "directory.seeAll" },
  patientEmail: { label: "Patient e-mail", hint: "Skriv, hvordan adressen begynder.", control: "text" },
  newMessages: { label: "Nye beskeder", control: "box" },
  myNewMessages: {
    label: "Egne henvisninger med nye beskeder",
    control: "box",
    permission: "referral.followOwnPatients",
  },
  onlyEdi: { label: "EDI", control: "box", permission: "referral.readInternal" },
  missingDentistId: { label: "Mangler tandlæge-id", control: "box", permission: "referral.readInternal" },
  onlyTest: { label: "Testhenvisning", control: "box", permission: "referral.readInternal" },
  onlyUrgent: { label: "Hastehenvisninger", control: "link" },
  mine: { label: "Mine", control: "link", permission: "referral.followOwnPatients" },
  untriaged: { label: "Ikke visiteret", control: "link", permission: "referral.readInternal" },
  withoutSurgeon: { label: "Uden aktiv kirurg", control: "link", permission: "referral.readInternal" },
  notHeldOn: { label: "Ikke på vent", control: "link", permission: "referral.readInternal" },
  heldAfter: { label: "På vent efter", control: "link", permission: "referral.readInternal" },
  inStatusSince: { label: "Samme status siden før", control: "link", permission: "referral.readInternal" },
  toTellOn: { label: TO_BE_TOLD, control: "link", permission: "referral.readInternal" },
  silentOn: { label: "Tavse", control: "link", permission: "referral.readInternal" },
} as const satisfies FilterDefinitions<OverviewFilter>;

export type FilterKey = keyof OverviewFilter;

export const SORT = { number: 1, cpr: 2, name: 3, age: 4, date: 5, status: 7, triage: 8, nextDate: 9 } as const;

export const columns = [
  { key: SORT.number, label: "Nr." },
  { key: SORT.cpr, label: "CPR-nummer" },
  { key: SORT.name, label: "Patient navn", ascendsFirst: true },
  { key: SORT.age, label: "Alder" },
  { key: SORT.date, label: "Dato" },
  { key: SORT.status, label: "Status" },
  { key: SORT.triage, label: "Haster", inWords: "Haste først, så ældste", isOneWay: true },
  {
    key: SORT.nextDate,
    label: "Næste dato",
    inWords: "Længst tavse først",
    isOneWay: true,
    permission: "referral.readInternal",
  },
] as const satisfies SortColumn[];
export type SortKey = (typeof columns)[number]["key"];

export const overviewView: ListView<OverviewFilter, SortKey> = {
  name: "overview",
  path: paths.overview,
  filterName: "applyFilter",
  filters,
  columns,
  defaultSort: { key: SORT.date, ascending: false },
};
