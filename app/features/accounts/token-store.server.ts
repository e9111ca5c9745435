import type { DbOrTx } from "~db/connection.server";
import { newToken, tokenHash } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";

/** Makes a link's token for one purpose and stores its hash. Older ones of the same person and purpose are revoked. */
export async function issueToken(
  db: DbOrTx,
  { purpose, userId, now, minutes }: { purpose: "passwordReset"; userId: number; now: Date; minutes: number },
): Promise<string> {
  const token = newToken();
  await db
    .updateTable("access_token")
    .set({ revoked_at: toMoment(now) })
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
  await db
    .insertInto("access_token")
    .values({
      id: tokenHash(token),
      purpose,
      user_id: userId,
      referral_id: null,
      created_at: toMoment(now),
      expires_at: toMoment(new Date(now.getTime() + minutes * 60_000)),
      used_at: null,
      revoked_at: null,
    })
    .execute();
  return token;
}

/** Uses a token up; answers its user, or null when it is unknown, used, revoked, expired or another person's. */
export async function useToken(db: DbOrTx, { purpose, token, userId, now }: { purpose: "passwordReset"; token: string; userId: number; now: Date }) {
  const used = await db
    .updateTable("access_token")
    .set({ used_at: toMoment(now) })
    .where("id", "=", tokenHash(token))
    .where("purpose", "=", purpose)
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", toMoment(now))
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
}
