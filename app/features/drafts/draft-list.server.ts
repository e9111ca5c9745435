import { draftScope } from "~/access/scope.server";
import { filterRules, type OnReferral } from "~/features/referrals/list/filter-sql.server";
import { defineList } from "~/lists/define-list.server";
import { defaultDraftSort, draftColumns, draftFilters } from "./draft-columns";
import { referrerOfDraft } from "./draft-store.server";

const { patientName, cpr, visitNumber, dateFrom, dateTo, referrerId } = filterRules;

export const drafts = defineList({
  name: "drafts",
  filters: draftFilters,
  rules: {
    patientName,
    cpr,
    visitNumber,
    dateFrom,
    dateTo,
    referrerId: { ...referrerId, where: (eb: OnReferral, referrer: number) => eb(referrerOfDraft, "=", referrer) },
  },
  columns: draftColumns,
  sortBy: {
    1: "referral.id",
    2: "referral.cpr6",
    3: "referral.name_sort",
    4: "referral.create_date",
    5: "referral.modified_at",
    6: "modifier.name_sort",
  },
  defaultSort: defaultDraftSort,
  idColumn: "referral.id",
  scope: (db, actor) =>
    db
      .selectFrom("referral")
      .where(draftScope(actor))
      .leftJoin("user as modifier", "modifier.id", "referral.modifier_id"),
  select: (rows) =>
    rows.select([
      "referral.id",
      "referral.row_key",
      "referral.cpr_encrypted",
      "referral.first_name",
      "referral.last_name",
      "referral.create_date",
      "referral.modified_at",
      "modifier.first_name as modifier_first_name",
      "modifier.last_name as modifier_last_name",
    ]),
});
