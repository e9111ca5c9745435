import type { Person } from "~/access/actor";
import { referralScope } from "~/access/scope.server";
import { filterRules, nameSearch } from "~/features/referrals/list/filter-sql.server";
import { defineList, openList } from "~/lists/define-list.server";
import type { Portal } from "~/portal.server";
import { callUpColumns, type CallUpFilter, callUpFilters, defaultCallUpSort } from "./call-up-columns";
import { callUpStatuses, defaultCallUpStatuses } from "./call-up-states";

const { patientName, cpr, visitNumber, dateFrom, dateTo, referrerId, statuses } = filterRules;

/** The sent referrals whose patients are to be called up, or have been. */
export const callUps = defineList({
  name: "callUps",
  filters: callUpFilters,
  rules: { patientName, cpr, visitNumber, referrerId, dateFrom, dateTo, statuses },
  columns: callUpColumns,
  sortBy: {
    1: "referral.id",
    2: "referral.cpr6",
    3: "referral.name_sort",
    4: "referral.create_date",
    6: "referral.status",
    7: "referral.call_up_type",
    8: "referral.call_up_date",
    9: "referral.call_up_status",
  },
  defaultSort: defaultCallUpSort,
  idColumn: "referral.id",
  scope: (db, actor) => db.selectFrom("referral").where(referralScope(actor)),
  select: (rows) =>
    rows
      .leftJoin("user as modifier", "modifier.id", "referral.modifier_id")
      .select([
        "referral.id",
        "referral.version",
        "referral.external_id",
        "referral.row_key",
        "referral.cpr_encrypted",
        "referral.first_name",
        "referral.last_name",
        "referral.create_date",
        "referral.status",
        "referral.reference_type",
        "referral.is_test",
        "referral.call_up_type",
        "referral.call_up_date",
        "referral.call_up_status",
        "referral.call_up_comment",
        "referral.address",
        "referral.zip",
        "referral.city",
        "referral.email",
        "referral.phone",
        "referral.mobile_phone",
        "referral.patient_without_eboks",
        "referral.treatment_type_id",
        "referral.operation_date",
        "referral.operation_hour",
        "referral.operation_minute",
        "referral.modified_at",
        "modifier.first_name as modifier_first_name",
        "modifier.last_name as modifier_last_name",
      ]),
  // Most called-up referrals are closed, so an index over all of them would pass many rows first.
  splitBy: { column: "referral.status", sortKeys: [4, 7, 8, 9], values: ({ statuses: chosen }) => chosen ?? [] },
  nameSearch,
});

export function callUpsOf(
  { secrets }: Pick<Portal, "secrets">,
  person: Person,
  typed: CallUpFilter,
  sort: string | null | undefined,
) {
  return openList(callUps, secrets, person, { ...typed, statuses: typed.statuses ?? [...defaultCallUpStatuses] }, sort);
}

export const callUpStatusValues = callUpStatuses.map(({ value }) => value);
