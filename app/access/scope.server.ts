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

/** Status column of a draft, so that the indexes on status also separate drafts from sent referrals. */
export const DRAFT = -1;

type OnReferral = ExpressionBuilder<Database, "referral">;
type Where = (eb: OnReferral) => ExpressionWrapper<Database, "referral", SqlBool>;

declare const IN_SCOPE: unique symbol;

/**
 * The id of a referral whose access has been checked. Stores accept no other. Only this file creates one: `inScope`
 * from a query, `justInserted` for a row of this transaction, `trustedReferral` for an id that no form sent.
 */
export type ScopedReferralId = number & { readonly [IN_SCOPE]: true };

export type Scoped<R> = R & { id: ScopedReferralId };

type ScopedQuery<Q> =
  Q extends SelectQueryBuilder<infer DB, infer TB, infer O> ? SelectQueryBuilder<DB, TB, Scoped<O>> : never;

/** Restricts a query on referrals to the actor's scope: sent ones, drafts, or both. */
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

export const justInserted = ({ insertId }: InsertResult) => Number(insertId) as ScopedReferralId;

/**
 * Marks an id as in scope without a check. The caller vouches that it comes from the portal's own data (outbox, patient
 * link, placed EDI message); ids from a person's input go through `inScope`.
 */
export const trustedReferral = (id: number) => id as ScopedReferralId;

/**
 * Sent referrals in the actor's scope: all for staff, a secretary's clinics', and those a dentist referred or created.
 * Rows outside the scope do not exist for the actor. Without `offersIndex` the condition is
 * tested row by row, for queries that scan another index.
 */
export function referralScope(actor: Actor, { offersIndex = true } = {}): Where {
  return (eb) => {
    return eb.and([eb("referral.status", ">", DRAFT), owned(eb, actor, "sent", offersIndex)]);
  };
}

/** Drafts in the actor's scope: all for staff, a secretary's clinics', a dentist's own. */
export function draftScope(actor: Actor): Where {
  return (eb) => {
    return eb.and([eb("referral.status", "=", DRAFT), eb("referral.deletedAt", "is", null), owned(eb, actor, "draft")]);
  };
}

function owned(eb: OnReferral, actor: Actor, what: "sent" | "draft", offersIndex = true) {
  if (actor.kind === "patientToken") return eb("referral.id", "=", actor.referralId);
  if (can(actor, what === "draft" ? "draft.seeAll" : "referral.seeAll")) return eb.and([]);
  if (!hasAccount(actor)) return eb.or([]);
  const [clinics, own] = [
    [...actor.clinicIds, ...actor.formerClinicIds],
    [actor.id, ...actor.formerIds],
  ];
  const isOneOf = (column: "referral.clinicId" | "referral.creatorId" | "referral.referrerId", ids: number[]) =>
    offersIndex ? eb(column, "in", ids) : eb(withoutIndex(column), "in", ids);
  const reasons = [
    ...(can(actor, "referral.seeClinic") && clinics.length > 0 ? [isOneOf("referral.clinicId", clinics)] : []),
    ...(can(actor, "referral.seeOwn") ? [isOneOf("referral.creatorId", own)] : []),
    ...(can(actor, "referral.seeOwn") && what === "sent" ? [isOneOf("referral.referrerId", own)] : []),
  ];
  // No condition means no row: an empty `or` is false.
  return eb.or(reasons);
}
