import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from "kysely";
import type { Database } from "~db/schema";
import { type Actor, isSecretary, isStaff } from "./actor";

/** What a draft has in the status column, so that the indexes on status also tell drafts from sent referrals. */
export const DRAFT = -1;

type OnReferral = ExpressionBuilder<Database, "referral">;
type Where = (eb: OnReferral) => ExpressionWrapper<Database, "referral", SqlBool>;

/**
 * Which sent referrals the actor sees: staff all; a secretary those of her clinics; a dentist those where he is the referrer
 * and those he created (design/decisions.md, People and what they may see). A row outside it does not exist for the actor.
 */
export function referralScope(actor: Actor): Where {
  return (eb) => {
    return eb.and([eb("referral.status", ">", DRAFT), owned(eb, actor, "sent")]);
  };
}

/** Which drafts: staff all, a secretary her clinics', a dentist his own. */
export function draftScope(actor: Actor): Where {
  return (eb) => {
    return eb.and([eb("referral.status", "=", DRAFT), eb("referral.deleted_at", "is", null), owned(eb, actor, "draft")]);
  };
}

function owned(eb: OnReferral, actor: Actor, what: "sent" | "draft") {
  if (actor.kind === "patientToken") return eb("referral.id", "=", actor.referralId);
  if (isStaff(actor)) return eb.and([]);
  if (actor.kind !== "person") return nothing(eb);
  if (isSecretary(actor)) {
    return actor.clinicIds.length === 0 ? nothing(eb) : eb("referral.clinic_id", "in", actor.clinicIds);
  }
  const created = eb("referral.creator_id", "=", actor.id);
  return what === "draft" ? created : eb.or([eb("referral.referrer_id", "=", actor.id), created]);
}

function nothing(eb: OnReferral) {
  return eb(sql<number>`0`, "=", 1);
}
