import type { DbOrTx, Tx } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import type { LinkPurpose, PatientToken } from "./actor";
import type { Caller } from "./caller";
import { findLink, insertLink, type LinkAbout, revokeLinks } from "./patient-link-store.server";
import { Refusal } from "./refusal";
import { newToken } from "./secrets.server";
import { throttleAddress } from "./throttle.server";

export type { LinkAbout };

interface LinkRule {
  bytes: number;
  replaces: boolean;
}

const rules: Readonly<Record<LinkPurpose, LinkRule>> = {
  radiographLink: { bytes: 32, replaces: true },
  letterFilesLink: { bytes: 32, replaces: true },
  appointmentAnswer: { bytes: 16, replaces: false },
  caseLink: { bytes: 16, replaces: true },
};

/**
 * Issues a link to a patient and stores the token's hash. Older links of the same purpose (and letter) become
 * invalid, except those to an appointment. Returns the token, which cannot be read again.
 */
export async function issuePatientLink(
  tx: Tx,
  about: LinkAbout,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<string> {
  const { bytes, replaces } = rules[about.purpose];
  if (replaces) {
    const { purpose, referralId, letterNumber = null } = about;
    await revokeLinks(tx, { purpose, referralId, letterNumber }, "newer", { now, liveAt: now });
  }
  const token = newToken(bytes);
  await insertLink(tx, token, about, { now, expiresAt });
  return token;
}

/**
 * The patient that a valid token identifies; null if it is unknown, for another purpose, expired or revoked, without
 * saying which.
 */
export async function findPatientLink(
  db: DbOrTx,
  { token, purpose, now }: { token: string; purpose: LinkPurpose; now: Date },
): Promise<PatientToken | null> {
  const row = await findLink(db, token, purpose);
  if (row === undefined || row.revokedAt !== null || row.expiresAt <= toMoment(now)) return null;
  return actorOf(row, purpose);
}

function actorOf(row: NonNullable<Awaited<ReturnType<typeof findLink>>>, purpose: LinkPurpose): PatientToken | null {
  const { referralId, letterNumber, operationMoment } = row;
  return referralId === null ? null : { kind: "patientToken", referralId, purpose, letterNumber, operationMoment };
}

export async function findExpiredLink(
  db: DbOrTx,
  { token, purpose }: { token: string; purpose: LinkPurpose },
): Promise<PatientToken | null> {
  const row = await findLink(db, token, purpose);
  return row === undefined || row.revokedAt !== null ? null : actorOf(row, purpose);
}

/** Revokes a referral's links including expired ones, so that none can be exchanged. */
export const revokePatientLinks = (
  tx: Tx,
  which: { referralId: number; purpose?: LinkPurpose; letterNumber?: number | null },
  because: "staff" | "changed",
  now: Date,
): Promise<number> => revokeLinks(tx, which, because, { now });

/**
 * The actor for a patient's request by link. Throws `linkExpired` for any invalid link and `tooManyAttempts` for an
 * address that guesses.
 */
export async function patientCaller(
  portal: Portal,
  { token, purpose }: { token: string; purpose: LinkPurpose },
  { site, address }: Pick<Caller, "site" | "address">,
): Promise<Caller> {
  const actor = await findPatientLink(portal.db, { token, purpose, now: portal.clock.now() });
  if (actor !== null) return { actor, site, address, sessionId: null };
  const from = { actor: { kind: "anonymous" }, caller: { site, address }, permission: `patient.${purpose}` } as const;
  portal.audit.refused({ ...from, operation: purpose, outcome: "refused", referralIds: [], detail: "linkExpired" });
  await throttleAddress(portal, "unknownLink", address);
  throw new Refusal("linkExpired");
}
