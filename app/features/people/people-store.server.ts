import { type DbOrTx, forUpdate, type Tx, changesAny, orNone, idsOf } from "~db/connection.server";
import type { Actor, Role } from "~/access/actor";
import { clinicsInScope, userScope } from "~/access/directory-scope-store.server";
import { refuseTakenName, rewriteUserTokens, nameColumns } from "~/features/accounts/store.server";
import { ACTIVE } from "~/features/directory/activity";
import { toMoment } from "~/text/dates";
import { staffRoles, kindOf, sortRoles } from "./role-names";
import { chosenColumns } from "~/features/merging/merge-words";

const NOBODY = [0];
const among = (ids: number[]) => (ids.length > 0 ? ids : NOBODY);

export async function findClinicsOfUsers(
  db: DbOrTx,
  actor: Actor,
  userIds: number[],
): Promise<{ userId: number; id: number; name: string }[]> {
  const inScope = clinicsInScope(actor);
  return db
    .selectFrom("user_clinic")
    .innerJoin("clinic", "clinic.id", "user_clinic.clinic_id")
    .select(["user_clinic.user_id as userId", "clinic.id", "clinic.name"])
    .where("user_clinic.user_id", "in", among(userIds))
    .$if(inScope !== null, (query) => query.where("clinic.id", "in", among(inScope!)))
    .orderBy("user_clinic.is_primary", "desc")
    .orderBy("clinic.name_sort")
    .orderBy("clinic.id")
    .execute();
}

export async function findRolesOfUsers(db: DbOrTx, userIds: number[]): Promise<{ userId: number; role: Role }[]> {
  const rows = await db
    .selectFrom("user_role")
    .select(["user_id as userId", "role"])
    .where("user_id", "in", among(userIds))
    .execute();
  return rows.map(({ userId, role }) => ({ userId, role: role as Role }));
}

const columns = [
  "user.id",
  "user.version",
  "user.user_name",
  "user.first_name",
  "user.last_name",
  "user.email",
  "user.phone",
  "user.mobile_phone",
  "user.status",
  "user.password_hash",
  "user.dentist_external_id",
  "user.edi_dentist_id",
  "user.send_ending_letters_via_edi",
  "user.created_at",
  "user.modified_at",
  "user.last_password_reset_at",
  "user.accepted_conditions_at",
  "user.last_active_at",
  "user.merged_into_id",
  "user.external_identity",
  "user.external_subject",
] as const;

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUserInScope>>>;

export function findUserInScope(db: DbOrTx, actor: Actor, id: number) {
  return db
    .selectFrom("user")
    .leftJoin("user as creator", "creator.id", "user.creator_id")
    .select(columns)
    .select("creator.user_name as creator_user_name")
    .where("user.id", "=", id)
    .where(userScope(actor))
    .executeTakeFirst();
}

interface ChangedUser {
  firstName: string;
  lastName: string;
  userName: string;
  email: string;
  status: number;
  phone?: string | null;
  mobilePhone?: string | null;
  dentistExternalId?: string | null;
  ediDentistId?: string | null;
  sendEndingLettersViaEdi?: boolean;
}

/** Overwrites the version seen; absent columns stay. False if somebody else was first. Throws `userNameTaken`. */
export async function updateUserRow(
  tx: Tx,
  { id, version }: Pick<UserRow, "id" | "version">,
  user: ChangedUser,
  now: Date,
): Promise<boolean> {
  const { sendEndingLettersViaEdi: viaEdi } = user;
  const isUpdated = await refuseTakenName(
    changesAny(
      tx
        .updateTable("user")
        .set({
          ...nameColumns(user),
          status: user.status,
          phone: user.phone,
          mobile_phone: user.mobilePhone,
          dentist_external_id: user.dentistExternalId,
          edi_dentist_id: user.ediDentistId,
          send_ending_letters_via_edi: viaEdi === undefined ? undefined : Number(viaEdi),
          modified_at: toMoment(now),
          version: version + 1,
        })
        .where("id", "=", id)
        .where("version", "=", version),
    ),
  );
  if (!isUpdated) return false;
  await rewriteUserTokens(tx, id);
  return true;
}

export async function lockActiveStaff(tx: Tx): Promise<number[]> {
  const rows = await forUpdate(
    tx,
    tx
      .selectFrom("user")
      .innerJoin("user_role", "user_role.user_id", "user.id")
      .select("user.id")
      .where("user_role.role", "in", staffRoles)
      .where("user.status", "=", ACTIVE),
  ).execute();
  return idsOf(rows);
}

const mergedUserColumns = [
  "external_subject",
  "id",
  "version",
  "user_name",
  ...chosenColumns.user,
  "created_at",
  "last_active_at",
  "merged_into_id",
] as const;

const usersOf = (db: DbOrTx, ids: number[]) =>
  db.selectFrom("user").select(mergedUserColumns).where("id", "in", orNone(ids)).orderBy("id");

type Row = Awaited<ReturnType<ReturnType<typeof usersOf>["execute"]>>[number];

export type UserToMerge = Awaited<ReturnType<typeof withRolesAndClinics>>[number];

export const findUsersToMerge = async (db: DbOrTx, ids: number[]) =>
  ids.length === 0 ? [] : inOrder(ids, await withRolesAndClinics(db, await usersOf(db, ids).execute()));

export const lockUsersToMerge = async (tx: Tx, ids: number[]) =>
  inOrder(ids, await withRolesAndClinics(tx, await forUpdate(tx, usersOf(tx, ids)).execute()));

const inOrder = (ids: number[], users: UserToMerge[]) =>
  ids.flatMap((id) => users.find((user) => user.id === id) ?? []);

async function withRolesAndClinics(db: DbOrTx, rows: Row[]) {
  const ids = [...orNone(idsOf(rows))];
  const roles = await findRolesOfUsers(db, ids);
  const clinics = await db
    .selectFrom("user_clinic")
    .innerJoin("clinic", "clinic.id", "user_clinic.clinic_id")
    .select(["user_clinic.user_id", "clinic.id", "clinic.name"])
    .where("user_clinic.user_id", "in", ids)
    .orderBy("clinic.name_sort")
    .execute();
  return rows.map((row) => {
    const own = sortRoles(roles.flatMap(({ userId, role }) => (userId === row.id ? [role] : [])));
    const belongsTo = clinics.filter(({ user_id }) => user_id === row.id).map(({ id, name }) => ({ id, name }));
    return {
      ...row,
      roles: own,
      ...kindOf(own),
      isMerged: row.merged_into_id !== null,
      clinics: belongsTo,
      clinicIds: idsOf(belongsTo),
    };
  });
}
