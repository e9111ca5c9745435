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
    .select(["first_name", "last_name", "user_name", "email", "dentist_external_id"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const tokens = new Set(Object.values(user).flatMap((text) => nameTokens(text ?? "")));
  await db.deleteFrom("user_search_token").where("user_id", "=", id).execute();
  if (tokens.size > 0)
    await db
      .insertInto("user_search_token")
      .values([...tokens].map((token) => ({ token, user_id: id })))
      .execute();
}

export const accountColumns = [
  "id",
  "user_name",
  "first_name",
  "last_name",
  "email",
  "phone",
  "mobile_phone",
  "status",
  "password_hash",
  "merged_into_id",
  "external_issuer",
  "external_subject",
] as const;

export type AccountRow = Pick<Selectable<Database["user"]>, (typeof accountColumns)[number]> & { roles: Role[] };

export async function findByUserName(db: DbOrTx, userName: string): Promise<AccountRow | null> {
  const row = await db
    .selectFrom("user")
    .select(accountColumns)
    .where("user_name_norm", "=", searchKey(userName))
    .executeTakeFirst();
  return row ? withRoles(db, row) : null;
}

export async function findUserNamesFrom(db: DbOrTx, stem: string): Promise<string[]> {
  const rows = await db
    .selectFrom("user")
    .select("user_name_norm")
    .where("user_name_norm", ">=", stem)
    .where("user_name_norm", "<", `${stem}\uffff`)
    .execute();
  return rows.map((row) => row.user_name_norm);
}

const MAX_ACCOUNTS_PER_ADDRESS = 20;

export async function findByEmail(db: DbOrTx, email: string): Promise<AccountRow[]> {
  const rows = await db
    .selectFrom("user")
    .select(accountColumns)
    .where("email_key", "=", emailKey(email))
    .orderBy("id")
    .limit(MAX_ACCOUNTS_PER_ADDRESS)
    .execute();
  return Promise.all(rows.map((row) => withRoles(db, row)));
}

export async function findUserName(db: DbOrTx, id: number): Promise<string> {
  const row = await db.selectFrom("user").select("user_name").where("id", "=", id).executeTakeFirst();
  return row?.user_name ?? "";
}

export async function findAccount(db: DbOrTx, id: number): Promise<AccountRow> {
  const row = await db.selectFrom("user").select(accountColumns).where("id", "=", id).executeTakeFirst();
  if (!row) throw new Refusal("notInScope");
  return withRoles(db, row);
}

/** Locks an account; false if it became inactive, or got another password, since it was read. */
export async function isUnchanged(tx: Tx, { id, password_hash: hash }: AccountRow): Promise<boolean> {
  const query = tx.selectFrom("user").select(["password_hash", "status"]).where("id", "=", id);
  const row = await forUpdate(tx, query).executeTakeFirst();
  return row?.status === 1 && row.password_hash === hash;
}

export async function withRoles(db: DbOrTx, row: Omit<AccountRow, "roles">): Promise<AccountRow> {
  const roles = await db.selectFrom("user_role").select("role").where("user_id", "=", row.id).execute();
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
    user_name: userName,
    user_name_norm: searchKey(userName),
    first_name: firstName,
    last_name: lastName,
    name_sort: sortKey(name),
    name_norm: searchKey(name),
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
        mobile_phone: user.mobilePhone ?? null,
        status: user.status ?? 1,
        password_hash: user.passwordHash,
        must_change_password: user.mustChangePassword ? 1 : 0,
        dentist_external_id: user.dentistExternalId ?? null,
        edi_dentist_id: user.ediDentistId ?? null,
        send_ending_letters_via_edi: 0,
        light_edition: 0,
        accepted_conditions_version: user.acceptedConditions?.version ?? null,
        accepted_conditions_at: user.acceptedConditions ? toMoment(user.acceptedConditions.at) : null,
        last_password_reset_at: null,
        last_active_at: null,
        creator_id: user.creatorId,
        created_at: toMoment(now),
        modified_at: toMoment(now),
      })
      .executeTakeFirstOrThrow(),
  );
  const id = Number(inserted.insertId);
  if (user.roles.length > 0)
    await db
      .insertInto("user_role")
      .values(user.roles.map((role) => ({ user_id: id, role })))
      .execute();
  await rewriteUserTokens(db, id);
  if (user.clinicIds.length > 0) {
    await db
      .insertInto("user_clinic")
      .values(
        user.clinicIds.map((clinicId, index) => ({
          user_id: id,
          clinic_id: clinicId,
          is_primary: index === 0 ? 1 : 0,
        })),
      )
      .execute();
  }
  return id;
}

export async function replaceRoles(tx: Tx, userId: number, roles: Role[]): Promise<void> {
  await tx.deleteFrom("user_role").where("user_id", "=", userId).execute();
  await tx
    .insertInto("user_role")
    .values(roles.map((role) => ({ user_id: userId, role })))
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
        modified_at: toMoment(now),
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
      password_hash: passwordHash,
      must_change_password: mustChange ? 1 : 0,
      last_password_reset_at: toMoment(now),
      modified_at: toMoment(now),
    })
    .where("id", "=", id)
    .execute();
}

export async function updateMobilePhone(db: DbOrTx, id: number, mobilePhone: string, now: Date): Promise<void> {
  await db
    .updateTable("user")
    .set({ mobile_phone: mobilePhone, modified_at: toMoment(now) })
    .where("id", "=", id)
    .execute();
}

export async function acceptConditions(db: DbOrTx, id: number, version: number, now: Date): Promise<void> {
  await db
    .updateTable("user")
    .set({ accepted_conditions_version: version, accepted_conditions_at: toMoment(now) })
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
    .insertInto("password_request")
    .values({ site, email, requested_at: toMoment(requestedAt) })
    .execute();
}

export async function findPasswordRequests(db: DbOrTx, atMost: number): Promise<number[]> {
  const rows = await db.selectFrom("password_request").select("id").orderBy("id").limit(atMost).execute();
  return idsOf(rows);
}

export async function takePasswordRequest(tx: Tx, id: number): Promise<PasswordRequest | undefined> {
  const row = await tx.selectFrom("password_request").selectAll().where("id", "=", id).executeTakeFirst();
  const isTaken = await changesAny(tx.deleteFrom("password_request").where("id", "=", id));
  if (row === undefined || !isTaken) return undefined;
  return { id, site: row.site, email: row.email, requestedAt: new Date(row.requested_at) };
}

export async function setChoice(
  db: DbOrTx,
  id: number,
  choice: Partial<Record<"shortcuts_off" | "goes_on" | "light_edition", 0 | 1>>,
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
