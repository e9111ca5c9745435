import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { addSeconds, subDays, subHours } from "date-fns";
import type { Db, DbOrTx } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { Person, Role } from "./actor";
import type { Flash } from "./operation.server";
import { can } from "./permissions";
import { newToken, tokenHash } from "./secrets.server";

const REFERRER_IDLE_HOURS = 12;
const STAFF_IDLE_HOURS = 2;
/** However busy, a session ends so long after the sign-in. */
const STAFF_LIFE_HOURS = 12;
const REFERRER_LIFE_HOURS = 30 * 24;
/** A session that was seen less than this long ago is not written again. */
const TOUCH_EVERY_MS = 60_000;

export interface Session {
  id: string;
  person: Person;
  lastSeenAt: string;
  flash: ShownOnce;
}

export interface ShownOnce {
  messages: (Flash & { id: string })[];
  pendingForm: string | null;
  infoPopupSeen: boolean;
  /** The call-up statistics have not been closed yet. */
  showCallUpStats: boolean;
}

export function idleSeconds(person: Pick<Person, "kind" | "roles">): number {
  return (can(person, "site.staff") ? STAFF_IDLE_HOURS : REFERRER_IDLE_HOURS) * 3600;
}

/** Begins a session; the token is the cookie's value and is stored only as its hash. */
export async function beginSession(
  db: DbOrTx,
  person: { id: number; roles: Role[] },
  now: Date,
  pendingForm: string | null = null,
): Promise<{ token: string }> {
  const token = newToken();
  const seconds = idleSeconds({ kind: "person", roles: person.roles });
  await db
    .insertInto("session")
    .values({
      id: tokenHash(token),
      user_id: person.id,
      created_at: toMoment(now),
      last_seen_at: toMoment(now),
      expires_at: toMoment(addSeconds(now, seconds)),
      flash: null,
      info_popup_seen: 0,
      callup_popup: 1,
      restored_input: pendingForm,
    })
    .execute();
  return { token };
}

/** Asked by every request. */
const sessionByToken = (db: Db, { id, now }: { id: string; now: string }) =>
  db
    .selectFrom("session")
    .innerJoin("user", "user.id", "session.user_id")
    .where("session.id", "=", id)
    .where("session.expires_at", ">", now)
    .where("user.status", "=", 1)
    .select([
      "session.id as session_id",
      "session.last_seen_at",
      "session.created_at",
      "session.flash",
      "session.restored_input",
      "session.info_popup_seen",
      "session.callup_popup",
      "user.id as user_id",
      "user.user_name",
      "user.first_name",
      "user.last_name",
      "user.email",
      "user.light_edition",
      "user.accepted_conditions_version",
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
    ])
    .executeTakeFirst();

/** The living session of a cookie's token, with its person; null when it is unknown, has expired, or the person is inactive. */
export async function findSession(db: Db, token: string, now: Date): Promise<Session | null> {
  const row = await sessionByToken(db, { id: tokenHash(token), now: toMoment(now) });
  if (!row) return null;
  const roles = (row.roles ?? "").split(",").filter(Boolean) as Role[];
  const lifeHours = can({ kind: "person", roles }, "site.staff") ? STAFF_LIFE_HOURS : REFERRER_LIFE_HOURS;
  if (row.created_at <= toMoment(subHours(now, lifeHours))) return null;
  const isReferrer = !roles.includes("Admin") && !roles.includes("Surgeon");
  return {
    id: row.session_id,
    person: {
      kind: "person",
      id: row.user_id,
      userName: row.user_name,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      roles,
      clinicIds: String(row.clinic_ids ?? "")
        .split(",")
        .filter(Boolean)
        .map(Number),
      primaryClinicId: row.primary_clinic_id,
      lightEdition: row.light_edition === 1,
      mustAcceptConditions: isReferrer && (row.newest_conditions ?? 0) > (row.accepted_conditions_version ?? 0),
    },
    lastSeenAt: row.last_seen_at,
    flash: {
      messages: row.flash ? (JSON.parse(row.flash) as ShownOnce["messages"]) : [],
      pendingForm: row.restored_input,
      infoPopupSeen: row.info_popup_seen === 1,
      showCallUpStats: row.callup_popup === 1,
    },
  };
}

/** Moves the session's end forward. The account poll never calls this: it is not the person's activity. */
export async function touchSession(db: DbOrTx, session: Session, now: Date): Promise<boolean> {
  if (toMoment(new Date(now.getTime() - TOUCH_EVERY_MS)) < session.lastSeenAt) return false;
  const expires = toMoment(addSeconds(now, idleSeconds(session.person)));
  await db
    .updateTable("session")
    .set({ last_seen_at: toMoment(now), expires_at: expires })
    .where("id", "=", session.id)
    .execute();
  await db
    .updateTable("user")
    .set({ last_active_at: toMoment(now) })
    .where("id", "=", session.person.id)
    .execute();
  return true;
}

export async function addFlash(db: DbOrTx, sessionId: string, flash: Flash): Promise<void> {
  const row = await db.selectFrom("session").select("flash").where("id", "=", sessionId).executeTakeFirst();
  const waiting = row?.flash ? (JSON.parse(row.flash) as ShownOnce["messages"]) : [];
  // Five is more than a page can show well; the oldest give way.
  await db
    .updateTable("session")
    .set({ flash: JSON.stringify([...waiting, { ...flash, id: randomUUID() }].slice(-5)) })
    .where("id", "=", sessionId)
    .execute();
}

/** Forgets what was shown or restored once. */
export async function clearShownOnce(
  db: DbOrTx,
  sessionId: string,
  what: ("flash" | "restored_input")[],
): Promise<void> {
  const empty = Object.fromEntries(what.map((column) => [column, null]));
  await db.updateTable("session").set(empty).where("id", "=", sessionId).execute();
}

/** Keeps sealed input in the session until the page it belongs to is shown. */
export async function keepInSession(db: DbOrTx, sessionId: string, pendingForm: string | null): Promise<void> {
  await db.updateTable("session").set({ restored_input: pendingForm }).where("id", "=", sessionId).execute();
}

/** Whose session it is or was, for as long as its row is kept after its end; null when it is unknown. */
export async function findSessionOwner(db: DbOrTx, sessionId: string): Promise<number | null> {
  const row = await db.selectFrom("session").select("user_id").where("id", "=", sessionId).executeTakeFirst();
  return row?.user_id ?? null;
}

export async function endSession(db: DbOrTx, sessionId: string): Promise<void> {
  await db.deleteFrom("session").where("id", "=", sessionId).execute();
}

/** Ends a person's sessions, all but `except`. */
export async function endSessionsOf(db: DbOrTx, userId: number, except: string | null): Promise<void> {
  await db
    .deleteFrom("session")
    .where("user_id", "=", userId)
    .where("id", "!=", except ?? "")
    .execute();
}

/** A form may be sent long after its session ran out; until then the row tells whose it was. */
const REMEMBERED_DAYS = 7;

export async function removeExpiredSessions(db: DbOrTx, now: Date): Promise<void> {
  const remembered = subDays(now, REMEMBERED_DAYS);
  await db.deleteFrom("session").where("expires_at", "<=", toMoment(remembered)).execute();
  // A person who was made inactive and is active again signs in anew.
  await db
    .deleteFrom("session")
    .where("user_id", "in", db.selectFrom("user").select("id").where("status", "!=", 1))
    .execute();
}
