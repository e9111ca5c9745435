import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import { type Person, scopesIn, writingScopes } from "./actor";
import { findApiKeyRow, updateLastUsed } from "./api-key-store.server";
import type { Caller, Site } from "./caller";
import { bestEffortWrite } from "./best-effort-write.server";
import type { Permission } from "./permissions";
import { Refusal } from "./refusal";
import { addressIn } from "./sites.server";
import { newToken } from "./secrets.server";
import { countCall, throttleAddress } from "./throttle.server";

const PREFIX = "hp_";
const HINT_LENGTH = 7;
const TOUCH_EVERY_MS = 60_000;
const ACTIVE = 1;

/** Creates a key and the hint (its first characters) by which a list shows it. */
export function newApiKey(): { token: string; hint: string } {
  const token = `${PREFIX}${newToken()}`;
  return { token, hint: token.slice(0, HINT_LENGTH) };
}

export const keyIn = (authorization: string | undefined): string | null =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null;

type KeyRow = NonNullable<Awaited<ReturnType<typeof findApiKeyRow>>>;

/**
 * The caller of a key: the account it writes as, with the rights of the key's scopes only and no session. Throws
 * `notSignedIn` for a key that is unknown, revoked, expired or whose people have left, `addressNotAllowed`, and
 * `tooManyAttempts` beyond the key's calls a minute. Every refusal is audited.
 */
export async function keyCaller(
  portal: Portal,
  token: string,
  { site, address }: { site: Site; address: string },
): Promise<Caller> {
  const row = await findApiKeyRow(portal.db, token);
  if (row === undefined) {
    refuse(portal, { actor: { kind: "anonymous" }, site, address, sessionId: null }, "unknown key");
    await throttleAddress(portal, "unknownKey", address);
    throw unusable();
  }
  const now = portal.clock.now();
  const caller: Caller = { actor: actorOf(row), site, address, sessionId: null };
  const reason = whyEnded(row, toMoment(now));
  if (reason !== null) {
    refuse(portal, caller, reason);
    throw unusable();
  }
  const addresses = row.addresses.split(" ").filter(Boolean);
  if (addresses.length > 0 && !addressIn(addresses, address)) {
    refuse(portal, caller, "address not allowed");
    throw new Refusal("addressNotAllowed");
  }
  try {
    await countCall(portal, row.id, row.callsPerMinute);
  } catch (error) {
    if (error instanceof Refusal) refuse(portal, caller, error.name);
    throw error;
  }
  if (row.lastUsedAt === null || row.lastUsedAt < toMoment(new Date(now.getTime() - TOUCH_EVERY_MS)))
    await bestEffortWrite(portal, "key used", () => updateLastUsed(portal.db, row.id, now));
  return caller;
}

function whyEnded(row: KeyRow, now: string): string | null {
  if (row.revokedAt !== null) return "revoked key";
  if (row.expiresAt <= now) return "expired key";
  if (row.userStatus !== ACTIVE || row.makerStatus !== ACTIVE) return "key of somebody inactive";
  const writes = scopesIn(row.scopes).some((scope) => writingScopes.includes(scope));
  return writes && row.clinicId !== null && row.memberId === null ? "key of somebody who left the clinic" : null;
}

const unusable = () => new Refusal("notSignedIn", { text: "API-nøglen er ukendt, udløbet eller tilbagekaldt." });

const refuse = (portal: Portal, caller: Caller, detail: string) =>
  portal.audit.refused({
    actor: caller.actor,
    caller,
    operation: "useApiKey",
    outcome: "refused",
    referralIds: [],
    detail,
  });

/** Audits every call with a key, also one that was refused before its operation began. Nothing is written here for other callers. */
export function auditRefusedKey(
  portal: Portal,
  caller: Caller,
  { name, permission }: { name: string; permission: Permission },
  detail: string,
): void {
  const { actor } = caller;
  if (actor.kind !== "apiKey") return;
  const entry = { actor, caller, operation: name, permission, outcome: "refused", referralIds: [], detail };
  portal.audit.refused(entry);
}

function actorOf(row: KeyRow): Person {
  const { id, name, clinicId } = row;
  return {
    kind: "apiKey",
    key: { id, name, scopes: scopesIn(row.scopes), clinicId },
    id: row.userId,
    userName: row.userName,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    roles: [],
    clinicIds: clinicId === null ? [] : [clinicId],
    primaryClinicId: clinicId ?? row.primaryClinicId,
    formerIds: [],
    formerClinicIds: String(row.formerClinicIds ?? "")
      .split(",")
      .filter(Boolean)
      .map(Number),
    lightEdition: false,
    hasShortcuts: false,
    goesOn: false,
    mustAcceptConditions: false,
    mustChangePassword: false,
    mustSetUpSecondFactor: false,
  };
}
