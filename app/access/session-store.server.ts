import { sql } from "kysely";
import { type DbOrTx, type Db, insertUnlessThere } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { AccountGroup } from "./actor";

export interface SessionProvider {
  group: AccountGroup;
  hasSecondFactor: boolean;
}

export async function insertSession(
  db: DbOrTx,
  {
    id,
    userId,
    now,
    expiresAt,
    pendingForm,
    device,
    provider,
  }: {
    id: string;
    userId: number;
    now: Date;
    expiresAt: Date;
    pendingForm: string | null;
    device: string | null;
    provider: SessionProvider | null;
  },
): Promise<void> {
  await db
    .insertInto("session")
    .values({
      id,
      userId,
      createdAt: toMoment(now),
      lastSeenAt: toMoment(now),
      expiresAt: toMoment(expiresAt),
      flash: null,
      infoPopupSeen: false,
      callupPopup: true,
      restoredInput: pendingForm,
      device,
      identityProvider: provider?.group ?? null,
      hasSecondFactor: provider?.hasSecondFactor ?? false,
    })
    .execute();
  await updateLastActive(db, userId, now);
}

async function updateLastActive(db: DbOrTx, userId: number, now: Date): Promise<void> {
  await db
    .updateTable("user")
    .set({ lastActiveAt: toMoment(now) })
    .where("id", "=", userId)
    .execute();
}

/** A session that has not expired, with its active person, roles and clinics; read by every request. */
export function findSessionRow(db: DbOrTx, id: string, now: Date) {
  return db
    .selectFrom("session")
    .innerJoin("user", "user.id", "session.userId")
    .where("session.id", "=", id)
    .where("session.expiresAt", ">", toMoment(now))
    .where("user.status", "=", 1)
    .select([
      "session.id as sessionId",
      "session.lastSeenAt",
      "session.createdAt",
      "session.flashSealed",
      "session.restoredInput",
      "session.infoPopupSeen",
      "session.callupPopup",
      "session.identityProvider",
      "session.hasSecondFactor",
      "user.id as userId",
      "user.userName",
      "user.firstName",
      "user.lastName",
      "user.email",
      "user.lightEdition",
      "user.shortcutsOff",
      "user.goesOn",
      "user.acceptedConditionsVersion",
      "user.mustChangePassword",
    ])
    .select((eb) => [
      eb
        .selectFrom("userRole")
        .whereRef("userRole.userId", "=", "user.id")
        .select(sql<string>`group_concat(role)`.as("roles"))
        .as("roles"),
      eb
        .selectFrom("userClinic")
        .whereRef("userClinic.userId", "=", "user.id")
        .select(sql<string>`group_concat(clinic_id)`.as("ids"))
        .as("clinicIds"),
      eb
        .selectFrom("user as former")
        .whereRef("former.mergedIntoId", "=", "user.id")
        .select(sql<string>`group_concat(former.id)`.as("ids"))
        .as("formerIds"),
      eb
        .selectFrom("userClinic")
        .innerJoin("clinic as former", "former.mergedIntoId", "userClinic.clinicId")
        .whereRef("userClinic.userId", "=", "user.id")
        .select(sql<string>`group_concat(former.id)`.as("ids"))
        .as("formerClinicIds"),
      eb
        .selectFrom("portalText")
        .where("kind", "=", "conditions")
        .select((max) => max.fn.max("version").as("newest"))
        .as("newestConditions"),
      eb
        .selectFrom("userClinic")
        .whereRef("userClinic.userId", "=", "user.id")
        .where("userClinic.isPrimary", "=", true)
        .select("userClinic.clinicId")
        .limit(1)
        .as("primaryClinicId"),
      eb
        .selectFrom("secondFactor")
        .whereRef("secondFactor.userId", "=", "user.id")
        .where("secondFactor.isActive", "=", true)
        .select("secondFactor.id")
        .as("secondFactor"),
    ])
    .executeTakeFirst();
}

export async function updateLastSeen(
  db: DbOrTx,
  { id, userId, now, expiresAt }: { id: string; userId: number; now: Date; expiresAt: Date },
): Promise<void> {
  await db
    .updateTable("session")
    .set({ lastSeenAt: toMoment(now), expiresAt: toMoment(expiresAt) })
    .where("id", "=", id)
    .execute();
  await updateLastActive(db, userId, now);
}

export async function findFlash(db: DbOrTx, id: string): Promise<string | null> {
  const row = await db.selectFrom("session").select("flashSealed").where("id", "=", id).executeTakeFirst();
  return row?.flashSealed ?? null;
}

export async function updateFlash(db: DbOrTx, id: string, sealed: string): Promise<void> {
  await db.updateTable("session").set({ flashSealed: sealed }).where("id", "=", id).execute();
}

export async function clearShownOnce(
  db: DbOrTx,
  sessionId: string,
  what: ("flashSealed" | "restoredInput")[],
): Promise<void> {
  const empty = Object.fromEntries(what.map((column) => [column, null]));
  await db.updateTable("session").set(empty).where("id", "=", sessionId).execute();
}

export async function savePendingForm(db: DbOrTx, sessionId: string, pendingForm: string | null): Promise<void> {
  await db.updateTable("session").set({ restoredInput: pendingForm }).where("id", "=", sessionId).execute();
}

/** The owner of a session, also after its end while the row is kept; null when unknown. */
export async function findSessionOwner(db: DbOrTx, sessionId: string): Promise<number | null> {
  const row = await db.selectFrom("session").select("userId").where("id", "=", sessionId).executeTakeFirst();
  return row?.userId ?? null;
}

/** The person somebody was merged into, or the person itself; null when unknown. */
export async function findMergedPerson(db: DbOrTx, personId: number): Promise<number | null> {
  const row = await db.selectFrom("user").select(["id", "mergedIntoId"]).where("id", "=", personId).executeTakeFirst();
  return row ? (row.mergedIntoId ?? row.id) : null;
}

/** The provider of a session and when it began; null when unknown, or after a sign-in by password. */
export async function findSessionProvider(
  db: DbOrTx,
  sessionId: string | null,
): Promise<(SessionProvider & { began: Date }) | null> {
  if (sessionId === null) return null;
  const row = await db
    .selectFrom("session")
    .select(["identityProvider", "hasSecondFactor", "createdAt"])
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (!row?.identityProvider) return null;
  return {
    group: row.identityProvider as AccountGroup,
    hasSecondFactor: row.hasSecondFactor,
    began: new Date(row.createdAt),
  };
}

export async function endSession(db: DbOrTx, sessionId: string): Promise<void> {
  await db.deleteFrom("session").where("id", "=", sessionId).execute();
}

export async function markClosed(db: DbOrTx, sessionId: string, what: "infoPopup" | "callUpStats"): Promise<void> {
  await db
    .updateTable("session")
    .set(what === "infoPopup" ? { infoPopupSeen: true } : { callupPopup: false })
    .where("id", "=", sessionId)
    .execute();
}

export const findSessionsOf = (db: DbOrTx, userId: number, now: Date) =>
  db
    .selectFrom("session")
    .select(["id", "device", "createdAt", "lastSeenAt"])
    .where("userId", "=", userId)
    .where("expiresAt", ">", toMoment(now))
    .orderBy("lastSeenAt", "desc")
    .orderBy("id")
    .execute();

export async function endSessionsOf(db: DbOrTx, userId: number, except: string | null): Promise<void> {
  await db
    .deleteFrom("session")
    .where("userId", "=", userId)
    .where("id", "!=", except ?? "")
    .execute();
}

/**
 * Deletes sessions that ended before a moment: expired rows are kept that long because a late form still needs to know
 * its owner. Also those of inactive people, who sign in anew when reactivated.
 */
export async function removeExpiredSessions(db: DbOrTx, endedBefore: Date): Promise<void> {
  await db.deleteFrom("session").where("expiresAt", "<=", toMoment(endedBefore)).execute();
  await db
    .deleteFrom("session")
    .where("userId", "in", db.selectFrom("user").select("id").where("status", "!=", 1))
    .execute();
}

export async function findPersonName(db: Db, id: number): Promise<string | undefined> {
  const row = await db.selectFrom("user").select(["firstName", "lastName"]).where("id", "=", id).executeTakeFirst();
  return row && `${row.firstName} ${row.lastName}`;
}

export async function rememberAddress(db: DbOrTx, userId: number, addressHash: string, now: Date): Promise<void> {
  const row = { userId, addressHash, lastAt: toMoment(now) };
  if (await insertUnlessThere(db, "knownAddress", row)) return;
  await db
    .updateTable("knownAddress")
    .set({ lastAt: row.lastAt })
    .where("userId", "=", userId)
    .where("addressHash", "=", addressHash)
    .execute();
}

export async function isKnownAddress(db: DbOrTx, userId: number, addressHash: string): Promise<boolean> {
  const row = await db
    .selectFrom("knownAddress")
    .select("userId")
    .where("userId", "=", userId)
    .where("addressHash", "=", addressHash)
    .executeTakeFirst();
  return row !== undefined;
}

export async function removeOldAddresses(db: DbOrTx, before: Date): Promise<void> {
  await db.deleteFrom("knownAddress").where("lastAt", "<", toMoment(before)).execute();
}

export async function removeAddressesOf(db: DbOrTx, userId: number): Promise<void> {
  await db.deleteFrom("knownAddress").where("userId", "=", userId).execute();
}
