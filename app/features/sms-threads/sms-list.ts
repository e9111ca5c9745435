import { filters } from "~/features/referrals/list/filters";
import type { ListView, ListSort, SortColumn } from "~/lists/list";
import { paths } from "~/paths";
import { dayFilters } from "~/lists/filters";

export interface SmsFilter {
  patientName?: string;
  dateFrom?: string;
  dateTo?: string;
  visitNumber?: number;
  /** Six digits, or the whole number `DDMMYY-XXXX`. */
  cpr?: string;
  onlyCancelled?: true;
  /** Cancelled on or after this Copenhagen day, `YYYY-MM-DD`. */
  cancelledFrom?: string;
  confirmed?: true;
  unanswered?: true;
  possiblyCancelled?: true;
  unread?: true;
  /** Answers that nobody has read and that name something clinical. */
  alarming?: true;
}

/** Filter in the address for possible cancellations only; contains no personal data. */
export const POSSIBLY_CANCELLED = "muligvis";
/** Likewise for answers to be read first. */
export const ALARMING = "haster";

const { patientName, visitNumber, cpr } = filters;

export const smsColumns = [
  { key: 0, label: "Patient", ascendsFirst: true },
  { key: 1, label: "Aftaletid", ascendsFirst: true },
  { key: 2, label: "Afbud tid" },
] as const satisfies SortColumn[];

type SmsSortKey = (typeof smsColumns)[number]["key"];

export const apiSmsSort: ListSort<SmsSortKey> = { key: 1, ascending: false };

export const smsView: ListView<SmsFilter, SmsSortKey> = {
  name: "smsVisits",
  path: paths.sms,
  filterName: "filterSms",
  filters: {
    patientName,
    ...dayFilters,
    visitNumber,
    cpr,
    onlyCancelled: { label: "Afbud", control: "box", isFirst: true },
    cancelledFrom: { label: "Afbud fra", control: "link" },
    confirmed: { label: "Bekræftet", control: "link" },
    unanswered: { label: "Uden svar", control: "link" },
    possiblyCancelled: { label: "Muligvis afbud", control: "link" },
    unread: { label: "Nye svar", control: "link" },
    alarming: { label: "Svar, der læses først", control: "link" },
  },
  columns: smsColumns,
  defaultSort: { key: 1, ascending: true },
};
