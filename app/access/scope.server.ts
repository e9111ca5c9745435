import {
  type ExpressionBuilder,
  type ExpressionWrapper,
  type InsertResult,
  type SelectQueryBuilder,
  type SqlBool,
} from "kysely";
import type { Database } from "~db/schema";
import { withoutIndex } from "~db/without-index";
import { type Actor, hasAccount } from "./actor";
import { can } from "./permissions";

/** What a draft has in the status column, so that the indexes on status also tell drafts from sent referrals. */
export const DRAFT = -1;

type OnReferral = ExpressionBuilder<Database, "referral">;
type Where = (eb: OnReferral) => ExpressionWrapper<Database, "referral", SqlBool>;

declare const IN_SCOPE: unique symbol;

/**
 * The number of a referral that somebody answers for. Stores that read or write a referral, or what hangs on one, take no other; only this
 * file makes one: `inScope` from a query, `justInserted` of a row that this transaction wrote, `trustedReferral` of a number that no form sent.
 */
export type ScopedReferralId = number & { readonly [IN_SCOPE]: true };

/** A row with such a number. */
export type Scoped<R> = R & { id: ScopedReferralId };

type ScopedQuery<Q> =
  Q extends SelectQueryBuilder<infer DB, infer TB, infer O> ? SelectQueryBuilder<DB, TB, Scoped<O>> : never;

/** A query on referrals, through the actor's scope: sent ones, drafts, or both. */
export function inScope<Q extends SelectQueryBuilder<any, any, { id: number }>>(
  query: Q,
  actor: Actor,
  which: "sent" | "draft" | "both",
): ScopedQuery<Q> {
  const [sent, draft] = [referralScope(actor), draftScope(actor)];
  return query.where(
    which === "sent" ? sent : which === "draft" ? draft : (eb: OnReferral) => eb.or([sent(eb), draft(eb)]),
  ) as unknown as ScopedQuery<Q>;
}

/** Scopes a row that this transaction has inserted. */
export const justInserted = ({ insertId }: InsertResult) => Number(insertId) as ScopedReferralId;

/**
 * Scopes a number without asking whose it is. The caller answers that it comes from what the portal itself holds (a message in the outbox, a
 * patient's link, a placed EDI message) and not from a person's input, which goes through `inScope`.
 */
export const trustedReferral = (id: number) => id as ScopedReferralId;

/**
 * Which sent referrals the actor sees: staff all; a secretary those of their clinics; a dentist those where they are the referrer and those they
 * created. For the actor a row outside the scope does not exist. With `scansSortOrder` the condition is checked row by row and offers the
 * database no index.
 */
export function referralScope(actor: Actor, { scansSortOrder = false } = {}): Where {
  return (eb) => {
    return eb.and([eb("referral.status", ">", DRAFT), owned(eb, actor, "sent", scansSortOrder)]);
  };
}

/** Which drafts: staff all, a secretary their clinics', a dentist their own. */
export function draftScope(actor: Actor): Where {
  return (eb) => {
    return eb.and([
      eb("referral.status", "=", DRAFT),
      eb("referral.deleted_at", "is", null),
      owned(eb, actor, "draft"),
    ]);
  };
}

function owned(eb: OnReferral, actor: Actor, what: "sent" | "draft", scansSortOrder = false) {
  if (actor.kind === "patientToken") return eb("referral.id", "=", actor.referralId);
  if (can(actor, "referral.seeAll")) return eb.and([]);
  if (!hasAccount(actor)) return eb.or([]);
  const [clinics, own] = [
    [...actor.clinicIds, ...actor.formerClinicIds],
    [actor.id, ...actor.formerIds],
  ];
  const isOneOf = (column: "referral.clinic_id" | "referral.creator_id" | "referral.referrer_id", ids: number[]) =>
    scansSortOrder ? eb(withoutIndex(column), "in", ids) : eb(column, "in", ids);
  const reasons = [
    ...(can(actor, "referral.seeClinic") && clinics.length > 0 ? [isOneOf("referral.clinic_id", clinics)] : []),
    ...(can(actor, "referral.seeOwn") ? [isOneOf("referral.creator_id", own)] : []),
    ...(can(actor, "referral.seeOwn") && what === "sent" ? [isOneOf("referral.referrer_id", own)] : []),
  ];
  // Without any condition no row: an empty `or` is false.
  return eb.or(reasons);
}
