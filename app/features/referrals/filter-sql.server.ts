import type { ExpressionBuilder, Expression, SqlBool } from "kysely";
import type { Database } from "~db/schema";
import type { Secrets } from "~/access/secrets.server";
import { addDays, startOfDay } from "~/text/dates";
import { nameTokens } from "~/text/names";
import type { FilterKey, OverviewFilter } from "./filters";
import { statuses } from "./status";

type OnReferral = ExpressionBuilder<Database, "referral">;
type Predicate<K extends FilterKey> = (eb: OnReferral, value: NonNullable<OverviewFilter[K]>, secrets: Secrets) => Expression<SqlBool>;

/** One predicate a filter; forgetting one is a type error. */
const predicates = {
  // Every word must begin a word of the name, in any order.
  patientName: (eb, name) =>
    eb.and(
      nameTokens(name).map((token) =>
        eb.exists(
          eb
            .selectFrom("referral_name_token")
            .select("token")
            .whereRef("referral_name_token.referral_id", "=", "referral.id")
            .where("token", ">=", token)
            .where("token", "<", `${token}\uffff`),
        ),
      ),
    ),
  cpr: (eb, cpr, secrets) => (cpr.length === 6 ? eb("cpr6", "=", cpr) : eb("cpr_hash", "in", secrets.lookups("cpr", cpr))),
  visitNumber: (eb, number) => eb("referral.id", "=", number),
  dateFrom: (eb, day) => eb("create_date", ">=", startOfDay(day)),
  dateTo: (eb, day) => eb("create_date", "<", startOfDay(addDays(day, 1))),
  statuses: (eb, chosen) => {
    // Said by what is left out when that is less: the planner then keeps to the date's index.
    const left = statuses.map((status) => status.value).filter((value) => !chosen.includes(value));
    if (left.length === 0) return eb.and([]);
    return left.length < chosen.length ? eb("referral.status", "not in", left) : eb("referral.status", "in", chosen);
  },
} satisfies { [K in FilterKey]: Predicate<K> };

/** The filter as a condition on `referral`; without any filter it is always true. */
export function filterCondition(filter: OverviewFilter, secrets: Secrets) {
  return (eb: OnReferral) =>
    eb.and(
      (Object.keys(predicates) as FilterKey[]).flatMap((key) => {
        const value = filter[key];
        return value === undefined ? [] : [(predicates[key] as Predicate<FilterKey>)(eb, value as never, secrets)];
      }),
    );
}
