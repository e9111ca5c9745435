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

/** 1 if a file it was sent without has not arrived. Few referrals have one, so only those are checked. */
const lacksFiles = (eb: ExpressionBuilder<Database, "referral">) =>
  eb
    .selectFrom("partial_upload")
    .select(eb.val(1).as("one"))
    .whereRef("partial_upload.referral_id", "=", "referral.id")
    .where(wasAwaitedInVain)
    .limit(1)
    .as("lacks_files");

export const overview = defineList({
  name: "overview",
  filters,
  rules: filterRules,
  columns,
  sortBy: {
    [SORT.number]: "referral.id",
    [SORT.cpr]: "referral.cpr6",
    [SORT.name]: "referral.name_sort",
    // The youngest patient has the latest birth date.
    [SORT.age]: { column: "referral.birth_date", falls: true },
    [SORT.date]: "referral.create_date",
    [SORT.status]: { column: "referral.status", within: "referral.create_date" },
    [SORT.triage]: "referral.queue_order",
  },
  defaultSort,
  idColumn: "referral.id",
  scope: (db, actor, filterContext) => db.selectFrom("referral").where(referralScope(actor, filterContext)),
  scannedSorts: [SORT.cpr, SORT.name, SORT.age],
  // Numbers roughly follow dates.
  beginsFar: ({ dateFrom, dateTo }, { key, ascending }) =>
    key === SORT.number && (ascending ? dateFrom : dateTo) !== undefined,
  select: (rows) => rows.select(rowColumns).select(lacksFiles),
  nameSearch,
  splitBy: {
    column: "referral.status",
    sortKeys: [SORT.status, SORT.triage],
    values: ({ statuses = [], ...others }, sortKey) => {
      if (sortKey === SORT.status && !isOfDays(others)) return [];
      // Others than staff see TU as 'in treatment'.
      return statuses.includes(IN_TREATMENT) ? [...new Set([...statuses, TU])] : statuses;
    },
  },
  encodePublic: writePublicFilter,
  decodePublic: readPublicFilter,
});

/** Whether the filter restricts dates only, so that no status is excluded. */
function isOfDays({ dateFrom, dateTo, ...others }: OverviewFilter): boolean {
  return (dateFrom ?? dateTo) !== undefined && Object.values(others).every((value) => value === undefined);
}

export type OverviewRow = RowOf<typeof overview>;

/** The list of a filter and sort; by default the role's statuses. */
export function listOf(
  { secrets }: Pick<Portal, "secrets">,
  person: Person,
  typed: OverviewFilter,
  sort: string | null | undefined,
) {
  return openList(overview, secrets, person, { ...typed, statuses: typed.statuses ?? defaultStatuses(person) }, sort);
}
