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
    .selectFrom("userClinic")
    .innerJoin("clinic", "clinic.id", "userClinic.clinicId")
    .select(["userClinic.userId as userId", "clinic.id", "clinic.name"])
    .where("userClinic.userId", "in", among(userIds))
    .$if(inScope !== null, (query) => query.where("clinic.id", "in", among(inScope!)))
    .orderBy("userClinic.isPrimary", "desc")
    .orderBy("clinic.nameSort")
    .orderBy("clinic.id")
    .execute();
}

export async function findRolesOfUsers(db: DbOrTx, userIds: number[]): Promise<{ userId: number; role: Role }[]> {
  const rows = await db
    .selectFrom("userRole")
    .select(["userId as userId", "role"])
    .where("userId", "in", among(userIds))
    .execute();
  return rows.map(({ userId, role }) => ({ userId, role: role as Role }));
}

const columns = [
  "user.id",
  "user.version",
  "user.userName",
  "user.firstName",
  "user.lastName",
  "user.email",
  "user.phone",
  "user.mobilePhone",
  "user.status",
  "user.passwordHash",
  "user.dentistExternalId",
  "user.ediDentistId",
  "user.sendEndingLettersViaEdi",
  "user.createdAt",
  "user.modifiedAt",
  "user.lastPasswordResetAt",
  "user.acceptedConditionsAt",
  "user.lastActiveAt",
  "user.mergedIntoId",
  "user.externalIdentity",
  "user.externalSubject",
] as const;

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUserInScope>>>;

export function findUserInScope(db: DbOrTx, actor: Actor, id: number) {
  return db
    .selectFrom("user")
    .leftJoin("user as creator", "creator.id", "user.creatorId")
    .select(columns)
    .select("creator.userName as creatorUserName")
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
          mobilePhone: user.mobilePhone,
          dentistExternalId: user.dentistExternalId,
          ediDentistId: user.ediDentistId,
          sendEndingLettersViaEdi: viaEdi,
          modifiedAt: toMoment(now),
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
      .innerJoin("userRole", "userRole.userId", "user.id")
      .select("user.id")
      .where("userRole.role", "in", staffRoles)
      .where("user.status", "=", ACTIVE),
  ).execute();
  return idsOf(rows);
}

const mergedUserColumns = [
  "externalSubject",
  "id",
  "version",
  "userName",
  ...chosenColumns.user,
  "createdAt",
  "lastActiveAt",
  "mergedIntoId",
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
    .selectFrom("userClinic")
    .innerJoin("clinic", "clinic.id", "userClinic.clinicId")
    .select(["userClinic.userId", "clinic.id", "clinic.name"])
    .where("userClinic.userId", "in", ids)
    .orderBy("clinic.nameSort")
    .execute();
  return rows.map((row) => {
    const own = sortRoles(roles.flatMap(({ userId, role }) => (userId === row.id ? [role] : [])));
    const belongsTo = clinics.filter(({ userId }) => userId === row.id).map(({ id, name }) => ({ id, name }));
    return {
      ...row,
      roles: own,
      ...kindOf(own),
      isMerged: row.mergedIntoId !== null,
      clinics: belongsTo,
      clinicIds: idsOf(belongsTo),
    };
  });
}
