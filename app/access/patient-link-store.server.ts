import { type DbOrTx, type Tx, changesAny } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { LinkPurpose } from "./actor";
import { tokenHash } from "./secrets.server";

export interface LinkAbout {
  purpose: LinkPurpose;
  referralId: number;
  letterNumber?: number | null;
  operationMoment?: string | null;
}

export type Revocation = "newer" | "staff" | "changed";

export async function insertLink(
  tx: Tx,
  token: string,
  { purpose, referralId, letterNumber, operationMoment }: LinkAbout,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto("access_token")
    .values({
      id: tokenHash(token),
      purpose,
      user_id: null,
      referral_id: referralId,
      letter_number: letterNumber ?? null,
      operation_moment: operationMoment ?? null,
      created_at: toMoment(now),
      expires_at: toMoment(expiresAt),
      used_at: null,
      revoked_at: null,
    })
    .execute();
}

export function findLink(db: DbOrTx, token: string, purpose: LinkPurpose) {
  return db
    .selectFrom("access_token")
    .select(["id", "referral_id", "letter_number", "operation_moment", "expires_at", "revoked_at", "renewed_at"])
    .where("id", "=", tokenHash(token))
    .where("purpose", "=", purpose)
    .executeTakeFirst();
}

/** Revokes links and returns how many. `liveAt` limits it to links that have not expired by then. */
export async function revokeLinks(
  tx: Tx,
  { purpose, referralId, letterNumber }: Omit<LinkAbout, "purpose" | "operationMoment"> & { purpose?: LinkPurpose },
  because: Revocation,
  { now, liveAt }: { now: Date; liveAt?: Date },
): Promise<number> {
  let query = tx
    .updateTable("access_token")
    .set({ revoked_at: toMoment(now), revoked_because: because })
    .where("referral_id", "=", referralId)
    .where("revoked_at", "is", null);
  if (purpose !== undefined) query = query.where("purpose", "=", purpose);
  if (letterNumber !== undefined)
    query =
      letterNumber === null
        ? query.where("letter_number", "is", null)
        : query.where("letter_number", "=", letterNumber);
  if (liveAt !== undefined) query = query.where("expires_at", ">", toMoment(liveAt));
  const revoked = await query.executeTakeFirst();
  return Number(revoked.numUpdatedRows);
}

export function findLiveLinks(db: DbOrTx, referralId: number, now: Date) {
  return db
    .selectFrom("access_token")
    .select(["purpose", "letter_number", "created_at", "expires_at"])
    .where("referral_id", "=", referralId)
    .where("purpose", "in", ["radiographLink", "letterFilesLink", "caseLink"])
    .where("revoked_at", "is", null)
    .where("expires_at", ">", toMoment(now))
    .orderBy("created_at", "desc")
    .execute();
}

/**
 * Records that a patient exchanges an expired link. False if it was revoked, is still valid, or a new one was requested
 * since `oldest`.
 */
export async function markRenewed(
  tx: Tx,
  token: string,
  purpose: LinkPurpose,
  { now, oldest }: { now: Date; oldest: Date },
): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("access_token")
      .set({ renewed_at: toMoment(now) })
      .where("id", "=", tokenHash(token))
      .where("purpose", "=", purpose)
      .where("revoked_at", "is", null)
      .where("expires_at", "<=", toMoment(now))
      .where((eb) => eb.or([eb("renewed_at", "is", null), eb("renewed_at", "<", toMoment(oldest))])),
  );
}
