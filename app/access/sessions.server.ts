import { randomUUID } from "node:crypto";
import { addSeconds, subHours } from "date-fns";
import type { Db, DbOrTx } from "~db/connection.server";
import type { SecondFactorRule, SecondFactorRules } from "~/config/sign-in-settings.server";
import { toMoment } from "~/text/dates";
import type { Person, Role } from "./actor";
import type { Flash } from "./caller";
import { can } from "./permissions";
import { newToken, type Secrets, tokenHash } from "./secrets.server";
import {
  findFlash,
  findSessionRow,
  insertSession,
  type SessionProvider,
  updateFlash,
  updateLastSeen,
} from "./session-store.server";

const REFERRER_IDLE_HOURS = 12;
const STAFF_IDLE_HOURS = 2;
/** A session ends this long after the sign-in, however active it is. */
const STAFF_LIFE_HOURS = 12;
const REFERRER_LIFE_HOURS = 30 * 24;
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
  showCallUpStats: boolean;
}

export function idleSeconds(person: Pick<Person, "kind" | "roles">): number {
  return (can(person, "site.staff") ? STAFF_IDLE_HOURS : REFERRER_IDLE_HOURS) * 3600;
}

/** Begins a session and returns its token, which is stored only as a hash. `device` describes the browser in words. */
export async function beginSession(
  db: DbOrTx,
  person: { id: number; roles: Role[] },
  now: Date,
  {
    pendingForm = null,
    device = null,
    provider = null,
  }: { pendingForm?: string | null; device?: string | null; provider?: SessionProvider | null } = {},
): Promise<{ token: string }> {
  const token = newToken();
  const seconds = idleSeconds({ kind: "person", roles: person.roles });
  await insertSession(db, {
    id: tokenHash(token),
    userId: person.id,
    now,
    expiresAt: addSeconds(now, seconds),
    pendingForm,
    device,
    provider,
  });
  return { token };
}

/**
 * The live session of a cookie's token with its person; null if unknown, expired or inactive. `needsSecondFactor`: the
 * person must set one up first.
 */
export async function findSession(
  { db, secrets }: { db: Db; secrets: Secrets },
  token: string,
  now: Date,
  secondFactor: SecondFactorRules = { staff: "off", referrers: "off" },
): Promise<Session | null> {
  const row = await findSessionRow(db, tokenHash(token), now);
  if (!row) return null;
  const roles = (row.roles ?? "").split(",").filter(Boolean) as Role[];
  const lifeHours = can({ kind: "person", roles }, "site.staff") ? STAFF_LIFE_HOURS : REFERRER_LIFE_HOURS;
  if (row.createdAt <= toMoment(subHours(now, lifeHours))) return null;
  const isReferrer = !roles.includes("Admin") && !roles.includes("Surgeon");
  return {
    id: row.sessionId,
    person: {
      kind: "person",
      id: row.userId,
      userName: row.userName,
      firstName: row.firstName,
      lastName: row.lastName,
      email: row.email,
      roles,
      clinicIds: idsIn(row.clinicIds),
      primaryClinicId: row.primaryClinicId,
      formerIds: idsIn(row.formerIds),
      formerClinicIds: idsIn(row.formerClinicIds),
      lightEdition: row.lightEdition,
      hasShortcuts: !row.shortcutsOff,
      goesOn: row.goesOn,
      mustAcceptConditions: isReferrer && (row.newestConditions ?? 0) > (row.acceptedConditionsVersion ?? 0),
      mustChangePassword: row.mustChangePassword && row.identityProvider === null,
      mustSetUpSecondFactor:
        row.secondFactor === null && !row.hasSecondFactor && secondFactorRule(secondFactor, roles) === "required",
    },
    lastSeenAt: row.lastSeenAt,
    flash: {
      messages: openMessages(secrets, row.sessionId, row.flashSealed),
      pendingForm: row.restoredInput,
      infoPopupSeen: row.infoPopupSeen,
      showCallUpStats: row.callupPopup,
    },
  };
}

const idsIn = (joined: string | number | null) =>
  String(joined ?? "")
    .split(",")
    .filter(Boolean)
    .map(Number);

/** Moves the session's end forward. The account poll must not call this, since it is no activity of the person. */
export async function touchSession(db: DbOrTx, session: Session, now: Date): Promise<boolean> {
  if (toMoment(new Date(now.getTime() - TOUCH_EVERY_MS)) < session.lastSeenAt) return false;
  const expiresAt = addSeconds(now, idleSeconds(session.person));
  await updateLastSeen(db, { id: session.id, userId: session.person.id, now, expiresAt });
  return true;
}

/** Keeps a sealed message for the session's next page; it may name a patient. */
export async function addFlash(
  db: DbOrTx,
  secrets: Secrets,
  { sessionId, flash }: { sessionId: string; flash: Flash },
): Promise<void> {
  const waiting = openMessages(secrets, sessionId, await findFlash(db, sessionId));
  const messages = [...waiting, { ...flash, id: randomUUID() }].slice(-5);
  await updateFlash(db, sessionId, secrets.encrypt("seal", JSON.stringify(messages), contextOf(sessionId)));
}

function openMessages(secrets: Secrets, sessionId: string, sealed: string | null): ShownOnce["messages"] {
  const plain = sealed === null ? null : secrets.decrypt("seal", sealed, contextOf(sessionId));
  return plain === null ? [] : (JSON.parse(plain) as ShownOnce["messages"]);
}

const contextOf = (sessionId: string) => `session.flash ${sessionId}`;

export const secondFactorRule = (rules: SecondFactorRules, roles: readonly Role[]): SecondFactorRule =>
  can({ kind: "person", roles: [...roles] }, "site.staff") ? rules.staff : rules.referrers;
