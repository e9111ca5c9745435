import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import { chosenColumns } from "~/features/merging/merge-words";
import { findRolesOfUsers } from "./people-store.server";
import { kindOf, sortRoles } from "./role-names";

const columns = [
  "id",
  "version",
  "user_name",
  ...chosenColumns.user,
  "created_at",
  "last_active_at",
  "merged_into_id",
] as const;

const usersOf = (db: DbOrTx, ids: number[]) =>
  db
    .selectFrom("user")
    .select(columns)
    .where("id", "in", ids.length > 0 ? ids : [0])
    .orderBy("id");

type Row = Awaited<ReturnType<ReturnType<typeof usersOf>["execute"]>>[number];

export type UserToMerge = Awaited<ReturnType<typeof withRolesAndClinics>>[number];

export const findUsersToMerge = async (db: DbOrTx, ids: number[]) =>
  ids.length === 0 ? [] : inOrder(ids, await withRolesAndClinics(db, await usersOf(db, ids).execute()));

export const lockUsersToMerge = async (tx: Tx, ids: number[]) =>
  inOrder(ids, await withRolesAndClinics(tx, await forUpdate(tx, usersOf(tx, ids)).execute()));

const inOrder = (ids: number[], users: UserToMerge[]) =>
  ids.flatMap((id) => users.find((user) => user.id === id) ?? []);

async function withRolesAndClinics(db: DbOrTx, rows: Row[]) {
  const ids = rows.length > 0 ? rows.map(({ id }) => id) : [0];
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
      clinicIds: belongsTo.map(({ id }) => id),
    };
  });
}
