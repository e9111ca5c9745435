import type { Role } from "~/access/actor";
import type { Site } from "~/access/caller";
import { Refusal } from "~/access/refusal";
import { toMoment } from "~/text/dates";
import { emailKey } from "~/text/fields.server";
import { nameTokens, searchKey, sortKey } from "~/text/names";
import { type DbOrTx, forUpdate, type Tx, changesAny, idsOf, unlessTaken } from "~db/connection.server";
import { mayUseSite } from "~/access/authorise.server";
import type { Selectable } from "kysely";
import type { Database } from "~db/schema";

export async function rewriteUserTokens(db: DbOrTx, id: number): Promise<void> {
  const user = await db
    .selectFrom("user")
    .select(["firstName", "lastName", "userName", "email", "dentistExternalId"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const tokens = new Set(Object.values(user).flatMap((text) => nameTokens(text ?? "")));
  await db.deleteFrom("userSearchToken").where("userId", "=", id).execute();
  if (tokens.size > 0)
    await db
      .insertInto("userSearchToken")
      .values([...tokens].map((token) => ({ token, userId: id })))
      .execute();
}

export const accountColumns = [
  "id",
  "userName",
  "firstName",
  "lastName",
  "email",
  "phone",
  "mobilePhone",
  "status",
  "passwordHash",
  "mergedIntoId",
  "externalIssuer",
  "externalSubject",
] as const;

export type AccountRow = Pick<Selectable<Database["user"]>, (typeof accountColumns)[number]> & { roles: Role[] };

export async function findByUserName(db: DbOrTx, userName: string): Promise<AccountRow | null> {
  const row = await db
    .selectFrom("user")
    .select(accountColumns)
    .where("userNameNorm", "=", searchKey(userName))
    .executeTakeFirst();
  return row ? withRoles(db, row) : null;
}

export async function findUserNamesFrom(db: DbOrTx, stem: string): Promise<string[]> {
  const rows = await db
    .selectFrom("user")
    .select("userNameNorm")
    .where("userNameNorm", ">=", stem)
    .where("userNameNorm", "<", `${stem}\uffff`)
    .execute();
  return rows.map((row) => row.userNameNorm);
}

const MAX_ACCOUNTS_PER_ADDRESS = 20;

export async function findByEmail(db: DbOrTx, email: string): Promise<AccountRow[]> {
  const rows = await db
    .selectFrom("user")
    .select(accountColumns)
    .where("emailKey", "=", emailKey(email))
    .orderBy("id")
    .limit(MAX_ACCOUNTS_PER_ADDRESS)
    .execute();
  return Promise.all(rows.map((row) => withRoles(db, row)));
}

export async function findUserName(db: DbOrTx, id: number): Promise<string> {
  const row = await db.selectFrom("user").select("userName").where("id", "=", id).executeTakeFirst();
  return row?.userName ?? "";
}

export async function findAccount(db: DbOrTx, id: number): Promise<AccountRow> {
  const row = await db.selectFrom("user").select(accountColumns).where("id", "=", id).executeTakeFirst();
  if (!row) throw new Refusal("notInScope");
  return withRoles(db, row);
}

export async function lockAccount(db: DbOrTx, id: number): Promise<void> {
  await forUpdate(db, db.selectFrom("user").select("id").where("id", "=", id)).execute();
}

/** Locks an account; false if it became inactive, or got another password, since it was read. */
export async function isUnchanged(tx: Tx, { id, passwordHash: hash }: AccountRow): Promise<boolean> {
  const query = tx.selectFrom("user").select(["passwordHash", "status"]).where("id", "=", id);
  const row = await forUpdate(tx, query).executeTakeFirst();
  return row?.status === 1 && row.passwordHash === hash;
}

export async function withRoles(db: DbOrTx, row: Omit<AccountRow, "roles">): Promise<AccountRow> {
  const roles = await db.selectFrom("userRole").select("role").where("userId", "=", row.id).execute();
  return { ...row, roles: roles.map(({ role }) => role as Role) };
}

interface Named {
  userName: string;
  firstName: string;
  lastName: string;
  email: string;
}

export function nameColumns({ userName, firstName, lastName, email }: Named) {
  const name = `${firstName} ${lastName}`;
  return {
    userName,
    userNameNorm: searchKey(userName),
    firstName,
    lastName,
    nameSort: sortKey(name),
    nameNorm: searchKey(name),
    email,
  };
}

interface NewUser extends Named {
  phone?: string | null;
  mobilePhone?: string | null;
  passwordHash: string | null;
  dentistExternalId?: string | null;
  ediDentistId?: string | null;
  roles: Role[];
  clinicIds: number[];
  creatorId: number | null;
  acceptedConditions?: { version: number; at: Date };
  status?: number;
  mustChangePassword?: boolean;
}

/** Creates a user; the first clinic is the primary one. Throws `userNameTaken`. */
export async function insertUser(db: DbOrTx, user: NewUser, now: Date): Promise<number> {
  const inserted = await refuseTakenName(
    db
      .insertInto("user")
      .values({
        ...nameColumns(user),
        phone: user.phone ?? null,
        mobilePhone: user.mobilePhone ?? null,
        status: user.status ?? 1,
        passwordHash: user.passwordHash,
        mustChangePassword: user.mustChangePassword,
        dentistExternalId: user.dentistExternalId ?? null,
        ediDentistId: user.ediDentistId ?? null,
        sendEndingLettersViaEdi: false,
        lightEdition: false,
        acceptedConditionsVersion: user.acceptedConditions?.version ?? null,
        acceptedConditionsAt: user.acceptedConditions ? toMoment(user.acceptedConditions.at) : null,
        lastPasswordResetAt: null,
        lastActiveAt: null,
        creatorId: user.creatorId,
        createdAt: toMoment(now),
        modifiedAt: toMoment(now),
      })
      .executeTakeFirstOrThrow(),
  );
  const id = Number(inserted.insertId);
  if (user.roles.length > 0)
    await db
      .insertInto("userRole")
      .values(user.roles.map((role) => ({ userId: id, role })))
      .execute();
  await rewriteUserTokens(db, id);
  if (user.clinicIds.length > 0) {
    await db
      .insertInto("userClinic")
      .values(
        user.clinicIds.map((clinicId, index) => ({
          userId: id,
          clinicId,
          isPrimary: index === 0,
        })),
      )
      .execute();
  }
  return id;
}

export async function replaceRoles(tx: Tx, userId: number, roles: Role[]): Promise<void> {
  await tx.deleteFrom("userRole").where("userId", "=", userId).execute();
  await tx
    .insertInto("userRole")
    .values(roles.map((role) => ({ userId, role })))
    .execute();
}

export async function updateProfile(
  db: DbOrTx,
  id: number,
  { phone, ...names }: Named & { phone: string | null },
  now: Date,
): Promise<void> {
  await refuseTakenName(
    db
      .updateTable("user")
      .set((eb) => ({
        ...nameColumns(names),
        phone,
        modifiedAt: toMoment(now),
        version: eb("version", "+", 1),
      }))
      .where("id", "=", id)
      .execute(),
  );
  await rewriteUserTokens(db, id);
}

export const refuseTakenName = <T>(work: Promise<T>): Promise<T> =>
  unlessTaken(work, () => {
    throw new Refusal("userNameTaken", { fields: { userName: ["Brugernavn allerede taget."] } });
  });

export async function updatePassword(
  db: DbOrTx,
  id: number,
  passwordHash: string,
  now: Date,
  { mustChange = false } = {},
): Promise<void> {
  await db
    .updateTable("user")
    .set({
      passwordHash,
      mustChangePassword: mustChange,
      lastPasswordResetAt: toMoment(now),
      modifiedAt: toMoment(now),
    })
    .where("id", "=", id)
    .execute();
}

export async function updateMobilePhone(db: DbOrTx, id: number, mobilePhone: string, now: Date): Promise<void> {
  await db
    .updateTable("user")
    .set((eb) => ({ mobilePhone, modifiedAt: toMoment(now), version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

export async function acceptConditions(db: DbOrTx, id: number, version: number, now: Date): Promise<void> {
  await db
    .updateTable("user")
    .set({ acceptedConditionsVersion: version, acceptedConditionsAt: toMoment(now) })
    .where("id", "=", id)
    .execute();
}

export async function isUserActive(db: DbOrTx, userId: number): Promise<boolean> {
  const user = await db.selectFrom("user").select("status").where("id", "=", userId).executeTakeFirst();
  return user?.status === 1;
}

interface PasswordRequest {
  id: number;
  site: Site;
  email: string;
  requestedAt: Date;
}

export async function insertPasswordRequest(tx: Tx, request: Omit<PasswordRequest, "id">): Promise<void> {
  const { site, email, requestedAt } = request;
  await tx
    .insertInto("passwordRequest")
    .values({ site, email, requestedAt: toMoment(requestedAt) })
    .execute();
}

export async function findPasswordRequests(db: DbOrTx, atMost: number): Promise<number[]> {
  const rows = await db.selectFrom("passwordRequest").select("id").orderBy("id").limit(atMost).execute();
  return idsOf(rows);
}

export async function takePasswordRequest(tx: Tx, id: number): Promise<PasswordRequest | undefined> {
  const row = await tx.selectFrom("passwordRequest").selectAll().where("id", "=", id).executeTakeFirst();
  const isTaken = await changesAny(tx.deleteFrom("passwordRequest").where("id", "=", id));
  if (row === undefined || !isTaken) return undefined;
  return { id, site: row.site, email: row.email, requestedAt: new Date(row.requestedAt) };
}

export async function setChoice(
  db: DbOrTx,
  id: number,
  choice: Partial<Record<"shortcutsOff" | "goesOn" | "lightEdition", boolean>>,
): Promise<void> {
  await db.updateTable("user").set(choice).where("id", "=", id).execute();
}

/** Finds a user who may use this site. On the public host staff are as unknown as a missing name, and vice versa. */
export async function findSignInUser(db: DbOrTx, userName: string, site: Site) {
  const user = await findByUserName(db, userName);
  return user && mayUseSite({ kind: "person", roles: user.roles }, site) ? user : undefined;
}

export async function findSignInUsersByEmail(db: DbOrTx, email: string, site: Site) {
  return (await findByEmail(db, email)).filter(({ roles }) => mayUseSite({ kind: "person", roles }, site));
}
