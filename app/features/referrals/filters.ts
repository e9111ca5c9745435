import { isSecretary, isStaff, isSurgeon, type WithRoles } from "~/access/actor";
import type { ListSort } from "./list-sort";

interface FilterDefinition {
  label: string;
  /** `link`: only a link sets it, and a chip shows it. */
  control: "text" | "cpr" | "number" | "date" | "statuses" | "referrer" | "clinic" | "surgeon" | "box" | "link";
  /** One of the six in the first line; the rest stand under 'Flere filtre'. */
  isFirst?: true;
  /** Everybody unless told. */
  seenBy?: (actor: WithRoles) => boolean;
}

/** The overview's filters (specification 1 §2): one definition each, read by the panel, the chips and the server. In the order of the panel. */
export const filters = {
  patientName: { label: "Patient navn", control: "text", isFirst: true },
  cpr: { label: "CPR-nummer", control: "cpr", isFirst: true },
  visitNumber: { label: "Nr.", control: "number", isFirst: true },
  dateFrom: { label: "Dato fra", control: "date", isFirst: true },
  dateTo: { label: "Dato til", control: "date", isFirst: true },
  statuses: { label: "Status", control: "statuses", isFirst: true },
  referrerId: { label: "Henviser", control: "referrer", seenBy: (actor) => isStaff(actor) || isSecretary(actor) },
  clinicId: { label: "Klinik", control: "clinic" },
  surgeonId: { label: "Kirurg", control: "surgeon", seenBy: isStaff },
  patientEmail: { label: "Patient e-mail", control: "text" },
  newMessages: { label: "Nye beskeder", control: "box" },
  myNewMessages: { label: "Egne henvisninger med nye beskeder", control: "box", seenBy: isSurgeon },
  onlyEdi: { label: "EDI", control: "box", seenBy: isStaff },
  missingDentistId: { label: "Mangler tandlæge-id", control: "box", seenBy: isStaff },
  onlyTest: { label: "Testhenvisning", control: "box", seenBy: isStaff },
  inStatusSince: { label: "Samme status siden før", control: "link", seenBy: isStaff },
} as const satisfies Record<string, FilterDefinition>;

export type FilterKey = keyof typeof filters;

export const filterEntries = Object.entries(filters) as [FilterKey, FilterDefinition][];

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
  referrerId?: number;
  clinicId?: number;
  surgeonId?: number;
  /** How it begins. */
  patientEmail?: string;
  newMessages?: true;
  /** Of the surgeon who asks. */
  myNewMessages?: true;
  onlyEdi?: true;
  missingDentistId?: true;
  onlyTest?: true;
  /** A calendar date: in its status since before that day. */
  inStatusSince?: string;
}

/** The filter without what this actor may not filter by. */
export function filterFor(actor: WithRoles, filter: OverviewFilter): OverviewFilter {
  return Object.fromEntries(filterEntries.flatMap(([key, { seenBy }]) => (filter[key] !== undefined && (!seenBy || seenBy(actor)) ? [[key, filter[key]]] : [])));
}

/** Sort keys of the list and their heads (specification 1 §2). */
export const columns = [
  { key: 1, label: "Nr." },
  { key: 2, label: "CPR-nummer" },
  { key: 3, label: "Patient navn" },
  { key: 4, label: "Alder" },
  { key: 5, label: "Dato" },
  { key: 7, label: "Status" },
] as const;
export type SortKey = (typeof columns)[number]["key"];
export type Sort = ListSort<SortKey>;

/** Newest first (specification 1 §2). */
export const defaultSort: Sort = { key: 5, ascending: false };

export const PAGE_SIZE = 20;
