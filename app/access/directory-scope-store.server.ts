import { type ExpressionBuilder } from "kysely";
import type { Database } from "~db/schema";
import { type Actor, hasAccount } from "./actor";
import { can } from "./permissions";

export const seesClinic = (actor: Actor, clinicId: number): boolean =>
  can(actor, "directory.seeAll") || clinicIdsOf(actor).includes(clinicId);

export const clinicsInScope = (actor: Actor): number[] | null =>
  can(actor, "directory.seeAll") ? null : clinicIdsOf(actor);

/** Users in the actor's scope: staff see everybody, others those in their own clinics. */
export function userScope(actor: Actor) {
  return (eb: ExpressionBuilder<Database, "user">) => {
    const among = clinicsInScope(actor);
    if (among === null) return eb.and([]);
    if (among.length === 0) return eb.or([]);
    const members = eb.selectFrom("userClinic").select("userClinic.userId");
    return eb("user.id", "in", members.where("userClinic.clinicId", "in", among));
  };
}

export function clinicScope(actor: Actor) {
  return (eb: ExpressionBuilder<Database, "clinic">) => {
    const among = clinicsInScope(actor);
    if (among === null) return eb.and([]);
    return among.length === 0 ? eb.or([]) : eb("clinic.id", "in", among);
  };
}

const clinicIdsOf = (actor: Actor): number[] => (hasAccount(actor) ? actor.clinicIds : []);
