import { emailKey } from "~/text/fields.server";
import { toMoment } from "~/text/dates";
import { type DbOrTx, type Tx, changesAny, unlessTaken } from "~db/connection.server";
import { accountColumns, type AccountRow, findAccount, insertUser, withRoles } from "./store.server";

export async function findBySubject(db: DbOrTx, { issuer, subject }: Subject): Promise<AccountRow | null> {
  const row = await db
    .selectFrom("user")
    .select(accountColumns)
    .where("externalSubject", "=", subject)
    .where("externalIssuer", "=", issuer)
    .executeTakeFirst();
  return row ? withRoles(db, row) : null;
}

interface Subject {
  issuer: string;
  subject: string;
}

export async function findByExternalIdentity(db: DbOrTx, name: string): Promise<AccountRow | null> {
  const row = await db
    .selectFrom("user")
    .select(accountColumns)
    .where("externalIdentity", "=", name.toLowerCase())
    .executeTakeFirst();
  return row ? withRoles(db, row) : null;
}

/** Users whose present address is one that a mailed link has proven. */
export async function findByProvenEmail(db: DbOrTx, email: string): Promise<AccountRow[]> {
  const rows = await db
    .selectFrom("user")
    .select(accountColumns)
    .where("emailKey", "=", emailKey(email))
    .whereRef("provenEmailKey", "=", "emailKey")
    .orderBy("id")
    .limit(2)
    .execute();
  return Promise.all(rows.map((row) => withRoles(db, row)));
}

/** Somebody has used a link that was mailed to the user's present address. */
export async function proveEmail(tx: Tx, userId: number): Promise<void> {
  await tx
    .updateTable("user")
    .set((eb) => ({ provenEmailKey: eb.ref("emailKey") }))
    .where("id", "=", userId)
    .execute();
}

/** Names a user's account at the provider and ends an earlier binding. False when another user has that name. */
export async function setExternalIdentity(tx: Tx, userId: number, name: string | null, now: Date): Promise<boolean> {
  await releaseSubject(tx, userId, now);
  const update = tx.updateTable("user").set({ externalIdentity: name?.toLowerCase() ?? null });
  return unlessTaken(changesAny(update.where("id", "=", userId)), () => false);
}

export async function releaseSubject(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .updateTable("user")
    .set({ externalIssuer: null, externalSubject: null, modifiedAt: toMoment(now) })
    .where("id", "=", userId)
    .execute();
}

export interface BoundAccount {
  userId: number;
  name: string | null;
  issuer: string | null;
  subject: string | null;
}

export const findBindings = (tx: Tx, userIds: number[]): Promise<BoundAccount[]> =>
  tx
    .selectFrom("user")
    .select(["id as userId", "externalIdentity as name", "externalIssuer as issuer", "externalSubject as subject"])
    .where("id", "in", userIds)
    .orderBy("id")
    .execute();

/** Binds another user to an account in place of its present one. */
export async function passBinding(
  tx: Tx,
  { from, to, withName }: { from: BoundAccount; to: number; withName: boolean },
): Promise<void> {
  const name = withName ? { externalIdentity: from.name } : {};
  const none = { externalIssuer: null, externalSubject: null, ...(withName ? { externalIdentity: null } : {}) };
  await tx.updateTable("user").set(none).where("id", "=", from.userId).execute();
  const bound = { externalIssuer: from.issuer, externalSubject: from.subject, ...name };
  await tx.updateTable("user").set(bound).where("id", "=", to).execute();
}

/** Binds a user once. False when the user, or the account at the provider, is bound already. */
export async function bindSubject(tx: Tx, userId: number, { issuer, subject }: Subject, now: Date): Promise<boolean> {
  const update = tx
    .updateTable("user")
    .set({ externalIssuer: issuer, externalSubject: subject, modifiedAt: toMoment(now) })
    .where("id", "=", userId)
    .where("externalSubject", "is", null);
  return unlessTaken(changesAny(update), () => false);
}

/** Makes a dentist of a clinic who signs in at the provider only. Throws `userNameTaken`. */
export async function insertReferrer(
  tx: Tx,
  referrer: { userName: string; firstName: string; lastName: string; email: string; clinicId: number },
  now: Date,
): Promise<AccountRow> {
  const { clinicId, ...user } = referrer;
  const id = await insertUser(
    tx,
    { ...user, passwordHash: null, roles: ["Dentist"], clinicIds: [clinicId], creatorId: null },
    now,
  );
  return findAccount(tx, id);
}
