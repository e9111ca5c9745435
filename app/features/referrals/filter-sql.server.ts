import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import type { Database } from "~db/schema";
import { type Actor, isStaff } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import { parseCpr } from "~/text/cpr";
import { addDays, parseDay, startOfDay } from "~/text/dates";
import { nameTokens } from "~/text/names";
import { type FilterKey, filterEntries, filterFor, type OverviewFilter } from "./filters";
import { statuses } from "./status";

type OnReferral = ExpressionBuilder<Database, "referral">;

/** Who asks, and with which keys. */
export interface Asked {
  actor: Actor;
  secrets: Secrets;
  /** The list is walked in its order and each row asked for the name, instead of finding everybody of that name and sorting them. */
  walksNames?: boolean;
}

interface FilterRule<V> {
  /** Reads what was typed, what a sealed filter holds, and what the API is sent alike. */
  schema: z.ZodType<V, unknown>;
  where(eb: OnReferral, value: V, asked: Asked): Expression<SqlBool>;
}

const rule = <V>(schema: z.ZodType<V, unknown>, where: FilterRule<V>["where"]): FilterRule<V> => ({ schema, where });
const id = z.coerce.number<unknown>("Vælg fra listen.").int().positive("Vælg fra listen.");
const box = z.union([z.literal(true), z.literal("on")]).transform(() => true as const);
const day = z
  .string()
  .transform(parseDay)
  .refine((value) => value !== null, "Skriv en dato som dd.mm.åååå.")
  .transform((value) => value!);
const sixDigitsOrCpr = z
  .string()
  .transform((text) => (/^\d{6}$/.test(text.replace(/[\s-]/g, "")) ? text.replace(/[\s-]/g, "") : parseCpr(text)))
  .refine((value) => value !== null, "Skriv seks cifre, eller hele CPR-nummeret.")
  .transform((value) => value!);
const isStatus = (value: number) => statuses.some((status) => status.value === value);
/** Past every text that begins so: no character sorts after it. */
const END = "\uffff";

/** One schema and predicate a filter; forgetting one is a type error. */
export const filterRules = {
  // Every word must begin a word of the name, in any order.
  patientName: rule(z.string().trim().min(1).max(200), (eb, name, { walksNames }) =>
    eb.and(nameTokens(name).map((token) => (walksNames ? rowHasToken(eb, token) : isOfToken(eb, token)))),
  ),
  cpr: rule(sixDigitsOrCpr, (eb, cpr, { secrets }) => (cpr.length === 6 ? eb("cpr6", "=", cpr) : eb("cpr_hash", "in", secrets.lookups("cpr", cpr)))),
  visitNumber: rule(
    z.coerce.string<unknown>().trim().regex(/^\d{1,9}$/, "Skriv nummeret med tal.").transform(Number),
    (eb, number) => eb("referral.id", "=", number),
  ),
  dateFrom: rule(day, (eb, from) => eb("create_date", ">=", startOfDay(from))),
  dateTo: rule(day, (eb, to) => eb("create_date", "<", startOfDay(addDays(to, 1)))),
  statuses: rule(z.array(z.coerce.number<unknown>("Vælg fra listen.").int()).max(30).transform((chosen) => [...new Set(chosen.filter(isStatus))]), (eb, chosen) => {
    // Said by what is left out when that is less: the planner then keeps to the date's index.
    const left = statuses.map((status) => status.value).filter((value) => !chosen.includes(value));
    if (left.length === 0) return eb.and([]);
    return left.length < chosen.length ? eb("referral.status", "not in", left) : eb("referral.status", "in", chosen);
  }),
  referrerId: rule(id, (eb, referrer) => eb("referral.referrer_id", "=", referrer)),
  clinicId: rule(id, (eb, clinic) => eb("referral.clinic_id", "=", clinic)),
  surgeonId: rule(id, (eb, surgeon) => eb("referral.surgeon_id", "=", surgeon)),
  patientEmail: rule(z.string().trim().toLowerCase().min(1).max(254), (eb, start) =>
    eb.and([eb("referral.email_norm", ">=", start), eb("referral.email_norm", "<", start + END)]),
  ),
  // To the clinic what it has not answered; to the referrer what the clinic has written since.
  newMessages: rule(box, (eb, _on, { actor }) => eb(isStaff(actor) ? "referral.has_unanswered_message" : "referral.referrer_has_unread_messages", "=", 1)),
  myNewMessages: rule(box, (eb, _on, { actor }) =>
    eb.and([eb("referral.surgeon_id", "=", actor.kind === "person" ? actor.id : 0), eb("referral.surgeon_has_unread_messages", "=", 1)]),
  ),
  onlyEdi: rule(box, (eb) => eb("referral.visit_type", "=", "edi")),
  missingDentistId: rule(box, (eb) => eb("referral.external_doctor_id", "is", null)),
  onlyTest: rule(box, (eb) => eb("referral.is_test", "=", 1)),
  inStatusSince: rule(day, (eb, before) => eb("referral.status_since", "<", startOfDay(before))),
} satisfies { [K in FilterKey]: FilterRule<NonNullable<OverviewFilter[K]>> };

/** Every filter as a field of an object, made optional as the source of the object needs it. */
export function filterFields(optional: (schema: z.ZodType) => z.ZodType): Record<FilterKey, z.ZodType> {
  return Object.fromEntries(filterEntries.map(([key]) => [key, optional(filterRules[key].schema)])) as Record<FilterKey, z.ZodType>;
}

function isOfToken(eb: OnReferral, token: string) {
  return eb("referral.id", "in", eb.selectFrom("referral_name_token").select("referral_id").where("token", ">=", token).where("token", "<", token + END));
}

/** The limit keeps the database from turning it into the other question. */
function rowHasToken(eb: OnReferral, token: string) {
  const one = eb
    .selectFrom("referral_name_token")
    .select("referral_id")
    .whereRef("referral_name_token.referral_id", "=", "referral.id")
    .where("token", ">=", token)
    .where("token", "<", token + END)
    .limit(1);
  return eb(one, "is not", null);
}

/** More than this have it: in a list walked by its order one of them is never far, and a count reads an index instead of their rows. */
const COMMON = 2000;

/** Whether every word of the name is one that many have. */
export async function isCommonName(db: DbOrTx, { patientName }: OverviewFilter): Promise<boolean> {
  if (patientName === undefined) return false;
  for (const token of nameTokens(patientName)) {
    const some = db.selectFrom("referral_name_token").select("referral_id").where("token", ">=", token).where("token", "<", token + END).limit(COMMON + 1);
    const { count } = await db.selectFrom(some.as("some")).select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
    if (Number(count) <= COMMON) return false;
  }
  return true;
}

/** The filter as a condition on `referral`, without what the actor may not filter by; without any filter it is always true. */
export function filterCondition(filter: OverviewFilter, asked: Asked) {
  const allowed = filterFor(asked.actor, filter);
  return (eb: OnReferral) =>
    eb.and(
      filterEntries.flatMap(([key]) => {
        const value = allowed[key];
        return value === undefined ? [] : [(filterRules[key] as FilterRule<unknown>).where(eb, value, asked)];
      }),
    );
}
