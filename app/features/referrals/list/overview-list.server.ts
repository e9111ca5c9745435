import type { ExpressionBuilder } from "kysely";
import type { Database } from "~db/schema";
import type { Person } from "~/access/actor";
import { referralScope } from "~/access/scope.server";
import { wasAwaitedInVain } from "~/files/staging/awaited-upload-store.server";
import type { Portal } from "~/portal.server";
import { defineList, openList, type RowOf } from "~/lists/define-list.server";
import { filterRules, nameSearch } from "./filter-sql.server";
import { columns, defaultSort, filters, type OverviewFilter, SORT } from "./filters";
import { rowColumns } from "./list-row.server";
import { readPublicFilter, writePublicFilter } from "./public-filter";
import { defaultStatuses, IN_TREATMENT, TU } from "~/features/referrals/model/status";

/** 1 where a file that it was sent without has not come: few lack one, and of those alone it is asked what came since. */
const lacksFiles = (eb: ExpressionBuilder<Database, "referral">) =>
  eb
    .selectFrom("partial_upload")
    .select(eb.val(1).as("one"))
    .whereRef("partial_upload.referral_id", "=", "referral.id")
    .where(wasAwaitedInVain)
    .limit(1)
    .as("lacks_files");

/** The overview: the sent referrals that a person sees. */
export const overview = defineList({
  name: "overview",
  filters,
  rules: filterRules,
  columns,
  sortBy: {
    [SORT.number]: "referral.id",
    [SORT.cpr]: "referral.cpr6",
    [SORT.name]: "referral.name_sort",
    // The youngest has the latest birth date.
    [SORT.age]: { column: "referral.birth_date", falls: true },
    [SORT.date]: "referral.create_date",
    [SORT.status]: { column: "referral.status", within: "referral.create_date" },
    [SORT.triage]: "referral.queue_order",
  },
  defaultSort,
  idColumn: "referral.id",
  scope: (db, actor, filterContext) => db.selectFrom("referral").where(referralScope(actor, filterContext)),
  scannedSorts: [SORT.cpr, SORT.name, SORT.age],
  // Numbers rise with the days, more or less.
  beginsFar: ({ dateFrom, dateTo }, { key, ascending }) =>
    key === SORT.number && (ascending ? dateFrom : dateTo) !== undefined,
  select: (rows) => rows.select(rowColumns).select(lacksFiles),
  nameSearch,
  splitBy: {
    column: "referral.status",
    sortKeys: [SORT.status, SORT.triage],
    values: ({ statuses = [], ...others }, sortKey) => {
      if (sortKey === SORT.status && !isOfDays(others)) return [];
      // What others than staff see as being in treatment may be another status.
      return statuses.includes(IN_TREATMENT) ? [...new Set([...statuses, TU])] : statuses;
    },
  },
  encodePublic: writePublicFilter,
  decodePublic: readPublicFilter,
});

/** Whether a filter asks for days and nothing else: in a status either all of its rows or none may be of them. */
function isOfDays({ dateFrom, dateTo, ...others }: OverviewFilter): boolean {
  return (dateFrom ?? dateTo) !== undefined && Object.values(others).every((value) => value === undefined);
}

export type OverviewRow = RowOf<typeof overview>;

/** The list that a filter and a sort make for a person: the statuses are the default ones of their role until they choose. */
export function listOf(
  { secrets }: Pick<Portal, "secrets">,
  person: Person,
  typed: OverviewFilter,
  sort: string | null | undefined,
) {
  return openList(overview, secrets, person, { ...typed, statuses: typed.statuses ?? defaultStatuses(person) }, sort);
}
