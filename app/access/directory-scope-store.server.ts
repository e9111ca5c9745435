import { type ExpressionBuilder } from "kysely";
import type { Database } from "~db/schema";
import { type Actor, hasAccount } from "./actor";
import { can } from "./permissions";

/** Whether the actor sees a clinic: staff every one, others their own. */
export const seesClinic = (actor: Actor, clinicId: number): boolean =>
  can(actor, "directory.seeAll") || clinicIdsOf(actor).includes(clinicId);

/** The clinics whose people the actor sees; null for all. */
export const clinicsInScope = (actor: Actor): number[] | null =>
  can(actor, "directory.seeAll") ? null : clinicIdsOf(actor);

/** Which users the actor sees: staff everybody, others those who belong to one of their clinics. */
export function userScope(actor: Actor) {
  return (eb: ExpressionBuilder<Database, "user">) => {
    const among = clinicsInScope(actor);
    if (among === null) return eb.and([]);
    if (among.length === 0) return eb.or([]);
    const members = eb.selectFrom("user_clinic").select("user_clinic.user_id");
    return eb("user.id", "in", members.where("user_clinic.clinic_id", "in", among));
  };
}

/** Which clinics the actor sees. */
export function clinicScope(actor: Actor) {
  return (eb: ExpressionBuilder<Database, "clinic">) => {
    const among = clinicsInScope(actor);
    if (among === null) return eb.and([]);
    return among.length === 0 ? eb.or([]) : eb("clinic.id", "in", among);
  };
}

const clinicIdsOf = (actor: Actor): number[] => (hasAccount(actor) ? actor.clinicIds : []);
