import { filters } from "~/features/referrals/list/filters";
import type { FilterDefinitions } from "~/lists/filters";
import type { ListSort, SortColumn } from "~/lists/sort";

export interface SmsFilter {
  patientName?: string;
  /** Days of the operation in Copenhagen, `YYYY-MM-DD`, both included. */
  dateFrom?: string;
  dateTo?: string;
  visitNumber?: number;
  /** Six digits, or the whole number `DDMMYY-XXXX`. */
  cpr?: string;
  onlyCancelled?: true;
  /** Cancelled on this day in Copenhagen or later, `YYYY-MM-DD`. */
  cancelledFrom?: string;
  /** The patient has said that they come. */
  confirmed?: true;
  /** The patient has neither said that they come nor cancelled. */
  unanswered?: true;
  /** An answer may be a cancellation, and nobody has said yet. */
  possiblyCancelled?: true;
  /** An answer that nobody has read. */
  unread?: true;
}

const { patientName, visitNumber, cpr } = filters;

export const smsFilters: FilterDefinitions<SmsFilter> = {
  patientName,
  dateFrom: { label: "Fra", control: "date", isFirst: true },
  dateTo: { label: "Til", control: "date", isFirst: true },
  visitNumber,
  cpr,
  onlyCancelled: { label: "Afbud", control: "box", isFirst: true },
  cancelledFrom: { label: "Afbud fra", control: "link" },
  confirmed: { label: "Bekræftet", control: "link" },
  unanswered: { label: "Uden svar", control: "link" },
  possiblyCancelled: { label: "Muligvis afbud", control: "link" },
  unread: { label: "Nye svar", control: "link" },
};

/** Sort keys of the list (GET /SmsAppointments) and their heads. */
export const smsColumns = [
  { key: 0, label: "Patient", ascendsFirst: true },
  { key: 1, label: "Aftaletid", ascendsFirst: true },
  { key: 2, label: "Afbud tid" },
] as const satisfies SortColumn[];

type SmsSortKey = (typeof smsColumns)[number]["key"];

/** The next time first. */
export const defaultSmsSort: ListSort<SmsSortKey> = { key: 1, ascending: true };

/** What the API answers unless it is asked for another order. */
export const apiSmsSort: ListSort<SmsSortKey> = { key: 1, ascending: false };
