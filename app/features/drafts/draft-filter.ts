import type { FilterKey, OverviewFilter } from "~/features/referrals/filters";

/** The overview's filters that the drafts have too (docs/decisions/0045). */
const keys = ["patientName", "cpr", "visitNumber", "dateFrom", "dateTo", "referrerId"] as const satisfies FilterKey[];

export type DraftFilter = Pick<OverviewFilter, (typeof keys)[number]>;

/** What of a filter the drafts can be filtered by. */
export function draftFilterOf(filter: OverviewFilter): DraftFilter {
  return Object.fromEntries(keys.flatMap((key) => (filter[key] === undefined ? [] : [[key, filter[key]]])));
}
