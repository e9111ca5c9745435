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
    .insertInto("accessToken")
    .values({
      id: tokenHash(token),
      purpose,
      userId: null,
      referralId,
      letterNumber: letterNumber ?? null,
      operationMoment: operationMoment ?? null,
      createdAt: toMoment(now),
      expiresAt: toMoment(expiresAt),
      usedAt: null,
      revokedAt: null,
    })
    .execute();
}

export function findLink(db: DbOrTx, token: string, purpose: LinkPurpose) {
  return db
    .selectFrom("accessToken")
    .select(["id", "referralId", "letterNumber", "operationMoment", "expiresAt", "revokedAt", "renewedAt"])
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
    .updateTable("accessToken")
    .set({ revokedAt: toMoment(now), revokedBecause: because })
    .where("referralId", "=", referralId)
    .where("revokedAt", "is", null);
  if (purpose !== undefined) query = query.where("purpose", "=", purpose);
  if (letterNumber !== undefined)
    query =
      letterNumber === null ? query.where("letterNumber", "is", null) : query.where("letterNumber", "=", letterNumber);
  if (liveAt !== undefined) query = query.where("expiresAt", ">", toMoment(liveAt));
  const revoked = await query.executeTakeFirst();
  return Number(revoked.numUpdatedRows);
}

export function findLiveLinks(db: DbOrTx, referralId: number, now: Date) {
  return db
    .selectFrom("accessToken")
    .select(["purpose", "letterNumber", "createdAt", "expiresAt"])
    .where("referralId", "=", referralId)
    .where("purpose", "in", ["radiographLink", "letterFilesLink", "caseLink"])
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", toMoment(now))
    .orderBy("createdAt", "desc")
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
      .updateTable("accessToken")
      .set({ renewedAt: toMoment(now) })
      .where("id", "=", tokenHash(token))
      .where("purpose", "=", purpose)
      .where("revokedAt", "is", null)
      .where("expiresAt", "<=", toMoment(now))
      .where((eb) => eb.or([eb("renewedAt", "is", null), eb("renewedAt", "<", toMoment(oldest))])),
  );
}
