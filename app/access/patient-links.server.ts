import type { DbOrTx, Tx } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import type { LinkPurpose, PatientToken } from "./actor";
import type { Caller } from "./caller";
import {
  findLink,
  findLiveLinks,
  insertLink,
  type LinkAbout,
  markRenewed,
  revokeLinks,
} from "./patient-link-store.server";
import { Refusal } from "./refusal";
import { newToken } from "./secrets.server";
import { throttleAddress } from "./throttle.server";

export type { LinkAbout };

interface LinkRule {
  /** Random bytes of a token. An SMS has little room, and 128 bits cannot be guessed either. */
  bytes: number;
  /** Whether a new link replaces the valid ones; links to one appointment coexist. */
  replaces: boolean;
}

const rules: Readonly<Record<LinkPurpose, LinkRule>> = {
  radiographLink: { bytes: 32, replaces: true },
  letterFilesLink: { bytes: 32, replaces: true },
  appointmentAnswer: { bytes: 16, replaces: false },
};

/**
 * Makes a link's token for a patient and stores its hash. Of files, the older links of the same purpose (and letter) become invalid.
 * Answers the token: this is the only moment that it is known.
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

/** What a valid token allows its patient; null when it is unknown, for another purpose, expired or revoked, without saying which. */
export async function findPatientLink(
  db: DbOrTx,
  { token, purpose, now }: { token: string; purpose: LinkPurpose; now: Date },
): Promise<PatientToken | null> {
  const row = await findLink(db, token, purpose);
  if (row === undefined || row.revoked_at !== null || row.expires_at <= toMoment(now)) return null;
  return actorOf(row, purpose);
}

function actorOf(row: NonNullable<Awaited<ReturnType<typeof findLink>>>, purpose: LinkPurpose): PatientToken | null {
  const { referral_id: referralId, letter_number: letterNumber, operation_moment: operationMoment } = row;
  return referralId === null ? null : { kind: "patientToken", referralId, purpose, letterNumber, operationMoment };
}

/** The patient of an expired token that was not revoked: only for exchanging it. */
export async function findExpiredLink(
  db: DbOrTx,
  { token, purpose }: { token: string; purpose: LinkPurpose },
): Promise<PatientToken | null> {
  const row = await findLink(db, token, purpose);
  return row === undefined || row.revoked_at !== null ? null : actorOf(row, purpose);
}

/** Revokes a referral's links, expired ones too: none of them can be exchanged for a new one. */
export const revokePatientLinks = (
  tx: Tx,
  which: { referralId: number; purpose?: LinkPurpose; letterNumber?: number | null },
  because: "staff" | "changed",
  now: Date,
): Promise<number> => revokeLinks(tx, which, because, { now });

/**
 * The actor of a request that a patient makes by a link. Throws `linkExpired` for a link that is not valid, whatever the reason, and
 * `tooManyAttempts` for an address with too many attempts.
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

/** The links to files that a referral's patient has and can still use, newest first. */
export const readLiveLinks = (...given: Parameters<typeof findLiveLinks>) => findLiveLinks(...given);

/** See `markRenewed`: the exchange of an expired link. */
export const exchangeLink = (...given: Parameters<typeof markRenewed>): Promise<boolean> => markRenewed(...given);
