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
      user_id: userId,
      created_at: toMoment(now),
      last_seen_at: toMoment(now),
      expires_at: toMoment(expiresAt),
      flash: null,
      info_popup_seen: 0,
      callup_popup: 1,
      restored_input: pendingForm,
      device,
      identity_provider: provider?.group ?? null,
      has_second_factor: provider?.hasSecondFactor ? 1 : 0,
    })
    .execute();
  await updateLastActive(db, userId, now);
}

async function updateLastActive(db: DbOrTx, userId: number, now: Date): Promise<void> {
  await db
    .updateTable("user")
    .set({ last_active_at: toMoment(now) })
    .where("id", "=", userId)
    .execute();
}

/** A session that has not expired, with its active person, roles and clinics; read by every request. */
export function findSessionRow(db: DbOrTx, id: string, now: Date) {
  return db
    .selectFrom("session")
    .innerJoin("user", "user.id", "session.user_id")
    .where("session.id", "=", id)
    .where("session.expires_at", ">", toMoment(now))
    .where("user.status", "=", 1)
    .select([
      "session.id as session_id",
      "session.last_seen_at",
      "session.created_at",
      "session.flash_sealed",
      "session.restored_input",
      "session.info_popup_seen",
      "session.callup_popup",
      "session.identity_provider",
      "session.has_second_factor",
      "user.id as user_id",
      "user.user_name",
      "user.first_name",
      "user.last_name",
      "user.email",
      "user.light_edition",
      "user.shortcuts_off",
      "user.goes_on",
      "user.accepted_conditions_version",
      "user.must_change_password",
    ])
    .select((eb) => [
      eb
        .selectFrom("user_role")
        .whereRef("user_role.user_id", "=", "user.id")
        .select(sql<string>`group_concat(role)`.as("roles"))
        .as("roles"),
      eb
        .selectFrom("user_clinic")
        .whereRef("user_clinic.user_id", "=", "user.id")
        .select(sql<string>`group_concat(clinic_id)`.as("ids"))
        .as("clinic_ids"),
      eb
        .selectFrom("user as former")
        .whereRef("former.merged_into_id", "=", "user.id")
        .select(sql<string>`group_concat(former.id)`.as("ids"))
        .as("former_ids"),
      eb
        .selectFrom("user_clinic")
        .innerJoin("clinic as former", "former.merged_into_id", "user_clinic.clinic_id")
        .whereRef("user_clinic.user_id", "=", "user.id")
        .select(sql<string>`group_concat(former.id)`.as("ids"))
        .as("former_clinic_ids"),
      eb
        .selectFrom("portal_text")
        .where("kind", "=", "conditions")
        .select((max) => max.fn.max("version").as("newest"))
        .as("newest_conditions"),
      eb
        .selectFrom("user_clinic")
        .whereRef("user_clinic.user_id", "=", "user.id")
        .where("user_clinic.is_primary", "=", 1)
        .select("user_clinic.clinic_id")
        .limit(1)
        .as("primary_clinic_id"),
      eb
        .selectFrom("second_factor")
        .whereRef("second_factor.user_id", "=", "user.id")
        .where("second_factor.is_active", "=", 1)
        .select("second_factor.id")
        .as("second_factor"),
    ])
    .executeTakeFirst();
}

export async function updateLastSeen(
  db: DbOrTx,
  { id, userId, now, expiresAt }: { id: string; userId: number; now: Date; expiresAt: Date },
): Promise<void> {
  await db
    .updateTable("session")
    .set({ last_seen_at: toMoment(now), expires_at: toMoment(expiresAt) })
    .where("id", "=", id)
    .execute();
  await updateLastActive(db, userId, now);
}

export async function findFlash(db: DbOrTx, id: string): Promise<string | null> {
  const row = await db.selectFrom("session").select("flash_sealed").where("id", "=", id).executeTakeFirst();
  return row?.flash_sealed ?? null;
}

export async function updateFlash(db: DbOrTx, id: string, sealed: string): Promise<void> {
  await db.updateTable("session").set({ flash_sealed: sealed }).where("id", "=", id).execute();
}

export async function clearShownOnce(
  db: DbOrTx,
  sessionId: string,
  what: ("flash_sealed" | "restored_input")[],
): Promise<void> {
  const empty = Object.fromEntries(what.map((column) => [column, null]));
  await db.updateTable("session").set(empty).where("id", "=", sessionId).execute();
}

export async function savePendingForm(db: DbOrTx, sessionId: string, pendingForm: string | null): Promise<void> {
  await db.updateTable("session").set({ restored_input: pendingForm }).where("id", "=", sessionId).execute();
}

/** The owner of a session, also after its end while the row is kept; null when unknown. */
export async function findSessionOwner(db: DbOrTx, sessionId: string): Promise<number | null> {
  const row = await db.selectFrom("session").select("user_id").where("id", "=", sessionId).executeTakeFirst();
  return row?.user_id ?? null;
}

/** The person somebody was merged into, or the person itself; null when unknown. */
export async function findMergedPerson(db: DbOrTx, personId: number): Promise<number | null> {
  const row = await db
    .selectFrom("user")
    .select(["id", "merged_into_id"])
    .where("id", "=", personId)
    .executeTakeFirst();
  return row ? (row.merged_into_id ?? row.id) : null;
}

/** The provider of a session and when it began; null when unknown, or after a sign-in by password. */
export async function findSessionProvider(
  db: DbOrTx,
  sessionId: string | null,
): Promise<(SessionProvider & { began: Date }) | null> {
  if (sessionId === null) return null;
  const row = await db
    .selectFrom("session")
    .select(["identity_provider", "has_second_factor", "created_at"])
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (!row?.identity_provider) return null;
  return {
    group: row.identity_provider as AccountGroup,
    hasSecondFactor: row.has_second_factor === 1,
    began: new Date(row.created_at),
  };
}

export async function endSession(db: DbOrTx, sessionId: string): Promise<void> {
  await db.deleteFrom("session").where("id", "=", sessionId).execute();
}

export async function markClosed(db: DbOrTx, sessionId: string, what: "infoPopup" | "callUpStats"): Promise<void> {
  await db
    .updateTable("session")
    .set(what === "infoPopup" ? { info_popup_seen: 1 } : { callup_popup: 0 })
    .where("id", "=", sessionId)
    .execute();
}

export const findSessionsOf = (db: DbOrTx, userId: number, now: Date) =>
  db
    .selectFrom("session")
    .select(["id", "device", "created_at", "last_seen_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", toMoment(now))
    .orderBy("last_seen_at", "desc")
    .orderBy("id")
    .execute();

export async function endSessionsOf(db: DbOrTx, userId: number, except: string | null): Promise<void> {
  await db
    .deleteFrom("session")
    .where("user_id", "=", userId)
    .where("id", "!=", except ?? "")
    .execute();
}

/**
 * Deletes sessions that ended before a moment: expired rows are kept that long because a late form still needs to know
 * its owner. Also those of inactive people, who sign in anew when reactivated.
 */
export async function removeExpiredSessions(db: DbOrTx, endedBefore: Date): Promise<void> {
  await db.deleteFrom("session").where("expires_at", "<=", toMoment(endedBefore)).execute();
  await db
    .deleteFrom("session")
    .where("user_id", "in", db.selectFrom("user").select("id").where("status", "!=", 1))
    .execute();
}

export async function findPersonName(db: Db, id: number): Promise<string | undefined> {
  const row = await db.selectFrom("user").select(["first_name", "last_name"]).where("id", "=", id).executeTakeFirst();
  return row && `${row.first_name} ${row.last_name}`;
}

export async function rememberAddress(db: DbOrTx, userId: number, addressHash: string, now: Date): Promise<void> {
  const row = { user_id: userId, address_hash: addressHash, last_at: toMoment(now) };
  if (await insertUnlessThere(db, "known_address", row)) return;
  await db
    .updateTable("known_address")
    .set({ last_at: row.last_at })
    .where("user_id", "=", userId)
    .where("address_hash", "=", addressHash)
    .execute();
}

export async function isKnownAddress(db: DbOrTx, userId: number, addressHash: string): Promise<boolean> {
  const row = await db
    .selectFrom("known_address")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("address_hash", "=", addressHash)
    .executeTakeFirst();
  return row !== undefined;
}

export async function removeOldAddresses(db: DbOrTx, before: Date): Promise<void> {
  await db.deleteFrom("known_address").where("last_at", "<", toMoment(before)).execute();
}

export async function removeAddressesOf(db: DbOrTx, userId: number): Promise<void> {
  await db.deleteFrom("known_address").where("user_id", "=", userId).execute();
}
