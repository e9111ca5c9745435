import { isUntriaged, isUrgent } from "../store/sent-items-store.server";
import { hasInactiveSurgeon } from "../store/surgeon-store.server";
import { type ExpressionBuilder, sql } from "kysely";
import { z } from "zod";
import type { Database } from "~db/schema";
import { withoutIndex } from "~db/without-index";
import type { Actor } from "~/access/actor";
import { can } from "~/access/permissions";
import { type FilterRule, type ValuesOf, END_OF_PREFIX, tokenSearch } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter.server";
import { startOfDay } from "~/text/copenhagen.server";
import { addDays } from "~/text/calendar";
import { storedStatuses } from "~/features/referrals/model/status";
import { statuses } from "~/features/referrals/model/statuses";
import { emailKey } from "~/text/fields.server";

export type OnReferral = ExpressionBuilder<Database, "referral">;

const rule = <V>(
  schema: z.ZodType<V, unknown>,
  where: FilterRule<V, OnReferral>["where"],
): FilterRule<V, OnReferral> => ({ schema, where });
const { id, referrer, box, day, sixDigitsOrCpr, number, words } = filterValue;
const isStatus = (value: number) => statuses.some((status) => status.value === value);
const names = tokenSearch({
  table: "referralNameToken",
  reference: "referralId",
  index: "referral_name_token_by_referral",
  id: "referral.id",
});

const ownId = (actor: Actor) => (actor.kind === "person" ? actor.id : 0);

/** Schema and predicate per filter. Days are Copenhagen dates, `YYYY-MM-DD`; a filter between two has both included. */
export const filterRules = {
  // Every word must begin a word of the name, in any order.
  patientName: rule(words("Skriv et navn med bogstaver eller tal."), (_eb, name, { nameMatch }) =>
    names.where(name, nameMatch),
  ),
  cpr: rule(sixDigitsOrCpr, (eb, cpr, { secrets }) =>
    cpr.length === 6 ? eb("cpr6", "=", cpr) : eb("cprHash", "in", secrets.lookups("cpr", cpr)),
  ),
  visitNumber: rule(number, (eb, wanted) => eb("referral.id", "=", wanted)),
  dateFrom: rule(day, (eb, from) => eb("createDate", ">=", startOfDay(from))),
  dateTo: rule(day, (eb, to) => eb("createDate", "<", startOfDay(addDays(to, 1)))),
  statuses: rule(
    z
      .array(z.coerce.number<unknown>("Vælg fra listen.").int())
      .max(30)
      .transform((values) => [...new Set(values.filter(isStatus))]),
    (eb, values, { actor, strategy }) => {
      const chosen = storedStatuses(values, actor);
      if (chosen.length === 0) return sql<boolean>`1 = 0`;
      // Uses the excluded statuses when they are fewer: the planner then picks the date index.
      const left = statuses.map((status) => status.value).filter((value) => !chosen.includes(value));
      if (left.length === 0) return eb.and([]);
      if (left.length < chosen.length) return eb("referral.status", "not in", left);
      return eb(strategy === "scan" ? withoutIndex("referral.status") : "referral.status", "in", chosen);
    },
  ),
  referrerId: rule(referrer, (eb, referrerId) => eb("referral.referrerId", "=", referrerId)),
  clinicId: rule(id, (eb, clinic) => eb("referral.clinicId", "=", clinic)),
  surgeonId: rule(id, (eb, surgeon) => eb("referral.surgeonId", "=", surgeon)),
  patientEmail: rule(z.string().overwrite(emailKey).min(1).max(254), (eb, start) =>
    eb.and([eb("referral.emailNorm", ">=", start), eb("referral.emailNorm", "<", start + END_OF_PREFIX)]),
  ),
  newMessages: rule(box, (eb, _on, { actor }) =>
    eb(
      can(actor, "message.answer") ? "referral.hasUnansweredMessage" : "referral.referrerHasUnreadMessages",
      "=",
      true,
    ),
  ),
  myNewMessages: rule(box, (eb, _on, { actor }) =>
    eb.and([eb("referral.surgeonId", "=", ownId(actor)), eb("referral.surgeonHasUnreadMessages", "=", true)]),
  ),
  onlyEdi: rule(box, (eb) => eb("referral.visitType", "=", "edi")),
  missingDentistId: rule(box, (eb) => eb("referral.externalDoctorId", "is", null)),
  onlyTest: rule(box, (eb) => eb("referral.isTest", "=", true)),
  onlyUrgent: rule(box, isUrgent),
  untriaged: rule(box, isUntriaged),
  withoutSurgeon: rule(box, hasInactiveSurgeon),
  mine: rule(box, (eb, _on, { actor }) => eb("referral.surgeonId", "=", ownId(actor))),
  // Nearly all rows match, so an index on this column would only replace the order's.
  notHeldOn: rule(day, (eb, today) => eb(withoutIndex<string>("referral.holdUntil"), "<=", today)),
  // Few are held: they are found first, and then put in order.
  heldAfter: rule(day, (eb, today) =>
    eb("referral.id", "in", eb.selectFrom("referral as held").select("held.id").where("held.holdUntil", ">", today)),
  ),
  inStatusSince: rule(day, (eb, before) => eb("referral.statusSince", "<", startOfDay(before))),
  // Few are to be told: they are found first, and then put in order.
  // As few as those on hold.
  toTellOn: rule(day, (eb, today) =>
    eb(
      "referral.id",
      "in",
      eb.selectFrom("referral as untold").select("untold.id").where("untold.tellUntil", ">=", today),
    ),
  ),
  silentOn: rule(day, (eb, today) => eb("referral.nextDueOn", "<", today)),
};

/** A filter that is absent does not apply. */
export type OverviewFilter = ValuesOf<typeof filterRules>;

export const nameSearch = { textOf: ({ patientName }: OverviewFilter) => patientName, findMatch: names.findMatch };
