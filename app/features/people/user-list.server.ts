import { type ExpressionBuilder, type SqlBool, type Expression } from "kysely";
import type { Database } from "~db/schema";
import { seesClinic, userScope } from "~/access/directory-scope-store.server";
import { ACTIVE, INACTIVE } from "~/features/directory/activity";
import { activityStatus } from "~/features/directory/activity-rule.server";
import { defineList } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter-rules.server";
import { tokenSearch } from "~/lists/token-search.server";
import { defaultUserSort, userColumns, userFilters } from "./user-columns";
import { staffRoles } from "./role-names";

type OnUser = ExpressionBuilder<Database, "user">;

const { id, box, words } = filterValue;
const search = tokenSearch({ table: "user_search_token", reference: "user_id", id: "user.id" });

export const users = defineList({
  name: "users",
  filters: userFilters,
  rules: {
    status: {
      schema: activityStatus("Vælg fra listen."),
      where: (eb: OnUser, status: number) => eb("user.status", "=", status),
    },
    clinicId: {
      schema: id,
      // Membership in clinics outside the actor's scope is not revealed.
      where: (eb: OnUser, clinic: number, { actor }) => (seesClinic(actor, clinic) ? isMember(eb, clinic) : eb.or([])),
    },
    search: {
      schema: words("Skriv noget med bogstaver eller tal."),
      where: (_eb: OnUser, text: string, { nameMatch }) => search.where(text, nameMatch),
    },
    onlyEmptyDentistId: {
      schema: box,
      where: (eb: OnUser) => eb.and([eb("user.dentist_external_id", "is", null), isReferrer(eb)]),
    },
  },
  columns: userColumns,
  sortBy: { 0: "user.user_name_norm", 1: "user.created_at" },
  defaultSort: defaultUserSort,
  idColumn: "user.id",
  scope: (db, actor) => db.selectFrom("user").where(userScope(actor)),
  select: (rows) =>
    rows.select([
      "user.id",
      "user.user_name",
      "user.first_name",
      "user.last_name",
      "user.status",
      "user.created_at",
      "user.merged_into_id",
    ]),
  // Each status has its own index order.
  splitBy: {
    column: "user.status",
    sortKeys: [0, 1],
    values: ({ status }) => (status === undefined ? [ACTIVE, INACTIVE] : [status]),
  },
  nameSearch: { textOf: (filter) => filter.search, findMatch: search.findMatch },
});

const isMember = (eb: OnUser, clinic: number): Expression<SqlBool> =>
  eb(
    "user.id",
    "in",
    eb.selectFrom("user_clinic").select("user_clinic.user_id").where("user_clinic.clinic_id", "=", clinic),
  );

/** Staff have no Henviser id. */
const isReferrer = (eb: OnUser): Expression<SqlBool> =>
  eb.not(
    eb.exists(
      eb
        .selectFrom("user_role")
        .select("user_role.role")
        .whereRef("user_role.user_id", "=", "user.id")
        .where("user_role.role", "in", staffRoles),
    ),
  );
