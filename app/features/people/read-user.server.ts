import { z } from "zod";
import type { Actor, Role } from "~/access/actor";
import { seesClinic } from "~/access/directory-scope-store.server";
import { read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { hasFactor } from "~/features/second-factor/factors.server";
import type { DbOrTx } from "~db/connection.server";
import { isoMoment } from "~/text/dates";
import {
  findClinicIds,
  findClinicsOfUsers,
  findRolesOfUsers,
  findUserInScope,
  type UserRow,
} from "./people-store.server";
import { kindOf, sortRoles } from "./role-names";

export const USER_UNKNOWN = "Brugeren findes ikke, eller du har ikke adgang til den.";

/** A user in scope, and whether the actor may change them. */
export interface UserInScope {
  row: UserRow;
  roles: Role[];
  /** Staff may change everybody; others those without staff roles who belong to no other clinic. */
  mayChange: boolean;
}

/** Throws `notInScope`, also for an unknown user. */
export async function findUser(db: DbOrTx, actor: Actor, userId: number): Promise<UserInScope> {
  const row = await findUserInScope(db, actor, userId);
  if (!row) throw new Refusal("notInScope", { text: USER_UNKNOWN });
  const roles = (await findRolesOfUsers(db, [userId])).map(({ role }) => role);
  const mayChange =
    can(actor, "directory.manageAll") ||
    (!kindOf(roles).isStaff && (await findClinicIds(db, userId)).every((clinicId) => seesClinic(actor, clinicId)));
  return { row, roles: sortRoles(roles), mayChange };
}

/** A user with the form's data and the clinics in the actor's scope. */
export const readUser = read({
  name: "readUser",
  permission: "directory.manage",
  input: z.object({ userId: z.coerce.number().int() }),
  run: ({ db, actor }, { userId }) => readUserOf(db, actor, userId),
});

export async function readUserOf(db: DbOrTx, actor: Actor, userId: number) {
  const { row, roles, mayChange } = await findUser(db, actor, userId);
  const kind = kindOf(roles);
  const setsEdi = can(actor, "directory.manageAll") && !kind.isStaff;
  const moment = (value: string | null) => value && isoMoment(value);
  return {
    id: row.id,
    version: row.version,
    ...kind,
    firstName: row.first_name,
    lastName: row.last_name,
    userName: row.user_name,
    email: row.email,
    status: row.status,
    phone: row.phone,
    mobilePhone: row.mobile_phone,
    dentistExternalId: row.dentist_external_id,
    ediDentistId: row.edi_dentist_id,
    /** Null if the person may not set it. */
    sendsEndingLettersViaEdi: setsEdi ? row.send_ending_letters_via_edi === 1 : null,
    clinics: (await findClinicsOfUsers(db, actor, [row.id])).map(({ id, name }) => ({ id, name })),
    creatorUserName: row.creator_user_name,
    createdAt: isoMoment(row.created_at),
    lastPasswordResetAt: moment(row.last_password_reset_at),
    acceptedConditionsAt: moment(row.accepted_conditions_at),
    lastActiveAt: moment(row.last_active_at),
    mayChange,
    hasPassword: row.password_hash !== null,
    /** Null if the person may not remove it. */
    hasSecondFactor: can(actor, "directory.manageAll") ? await hasFactor(db, row.id) : null,
    isSelf: actor.kind === "person" && actor.id === row.id,
  };
}
