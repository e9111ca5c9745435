import type { ExpressionBuilder } from "kysely";
import type { Database } from "~db/schema";
import { clinicScope } from "~/access/directory-scope-store.server";
import { ACTIVE, INACTIVE } from "~/features/directory/activity";
import { activityStatus } from "~/features/directory/activity-rule.server";
import { defineList } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter-rules.server";
import { tokenSearch } from "~/lists/token-search.server";
import { clinicColumns, clinicFilters, defaultClinicSort } from "./clinic-columns";

type OnClinic = ExpressionBuilder<Database, "clinic">;

const search = tokenSearch({ table: "clinic_search_token", reference: "clinic_id", id: "clinic.id" });

export const clinics = defineList({
  name: "clinics",
  filters: clinicFilters,
  rules: {
    status: {
      schema: activityStatus("Vælg fra listen."),
      where: (eb: OnClinic, status: number) => eb("clinic.status", "=", status),
    },
    search: {
      schema: filterValue.words("Skriv noget med bogstaver eller tal."),
      where: (_eb: OnClinic, text: string, { nameMatch }) => search.where(text, nameMatch),
    },
  },
  columns: clinicColumns,
  sortBy: { 0: "clinic.modified_at" },
  defaultSort: defaultClinicSort,
  idColumn: "clinic.id",
  scope: (db, actor) => db.selectFrom("clinic").where(clinicScope(actor)),
  select: (rows) =>
    rows.select([
      "clinic.id",
      "clinic.version",
      "clinic.name",
      "clinic.address",
      "clinic.zip",
      "clinic.city",
      "clinic.phone",
      "clinic.mobile_phone",
      "clinic.email",
      "clinic.status",
      "clinic.merged_into_id",
    ]),
  // Each status has its own index order.
  splitBy: {
    column: "clinic.status",
    sortKeys: [0],
    values: ({ status }) => (status === undefined ? [ACTIVE, INACTIVE] : [status]),
  },
  nameSearch: { textOf: (filter) => filter.search, findMatch: search.findMatch },
});
