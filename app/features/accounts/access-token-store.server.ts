import { addMinutes } from "date-fns";
import { newToken, tokenHash } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";
import { type DbOrTx, type Tx, changesAny, idsOf } from "~db/connection.server";
import { endSessionsOf } from "~/access/session-store.server";

/** `externalAccount`: binds who signs in at the identity provider with it. */
type TokenPurpose = (typeof passwordPurposes)[number] | "externalAccount";
const passwordPurposes = ["passwordReset", "newUser"] as const;

/** Live links per purpose: a new one does not invalidate one that is still in the mail. */
const MAX_LIVE = 3;

/** Creates a token for one purpose and stores its hash. The two newest older ones stay valid. */
export async function issueToken(
  db: DbOrTx,
  { purpose, userId, now, minutes }: { purpose: TokenPurpose; userId: number; now: Date; minutes: number },
): Promise<string> {
  const token = newToken();
  const live = await db
    .selectFrom("accessToken")
    .select("id")
    .where("userId", "=", userId)
    .where("purpose", "=", purpose)
    .where("usedAt", "is", null)
    .where("revokedAt", "is", null)
    .orderBy("createdAt", "desc")
    .execute();
  const old = idsOf(live.slice(MAX_LIVE - 1));
  if (old.length > 0)
    await db
      .updateTable("accessToken")
      .set({ revokedAt: toMoment(now) })
      .where("id", "in", old)
      .execute();
  await db
    .insertInto("accessToken")
    .values({
      id: tokenHash(token),
      purpose,
      userId,
      referralId: null,
      createdAt: toMoment(now),
      expiresAt: toMoment(addMinutes(now, minutes)),
      usedAt: null,
      revokedAt: null,
    })
    .execute();
  return token;
}

/** The owner of a live token; null when unknown, used, revoked or expired. */
export async function findTokenUser(
  db: DbOrTx,
  { token, now, purposes = passwordPurposes }: { token: string; now: Date; purposes?: readonly TokenPurpose[] },
): Promise<number | null> {
  const row = await db
    .selectFrom("accessToken")
    .select("userId")
    .where("id", "=", tokenHash(token))
    .where("purpose", "in", purposes)
    .where("usedAt", "is", null)
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", toMoment(now))
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** Uses a token and invalidates the person's others. False when unknown, used, revoked, expired or another person's. */
export async function useToken(
  db: DbOrTx,
  {
    token,
    userId,
    now,
    purposes = passwordPurposes,
  }: { token: string; userId: number; now: Date; purposes?: readonly TokenPurpose[] },
) {
  const isUsed = await changesAny(
    db
      .updateTable("accessToken")
      .set({ usedAt: toMoment(now) })
      .where("id", "=", tokenHash(token))
      .where("purpose", "in", purposes)
      .where("userId", "=", userId)
      .where("usedAt", "is", null)
      .where("revokedAt", "is", null)
      .where("expiresAt", ">", toMoment(now)),
  );
  if (!isUsed) return false;
  await revokeTokens(db, userId, now);
  return true;
}

export async function revokeTokens(
  db: DbOrTx,
  userId: number,
  now: Date,
  purposes: readonly TokenPurpose[] = [...passwordPurposes, "externalAccount"],
): Promise<void> {
  await db
    .updateTable("accessToken")
    .set({ revokedAt: toMoment(now) })
    .where("userId", "=", userId)
    .where("purpose", "in", purposes)
    .where("usedAt", "is", null)
    .where("revokedAt", "is", null)
    .execute();
}

/**
 * Ends sessions (except one) and password links after a sign-in detail has changed; otherwise an intruder's session
 * would outlive the change.
 */
export async function endAccessOf(tx: Tx, userId: number, now: Date, exceptSession: string | null = null) {
  await endSessionsOf(tx, userId, exceptSession);
  await revokeTokens(tx, userId, now);
}
