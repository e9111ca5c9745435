import { subMinutes } from "date-fns";
import { type DbOrTx, type Tx, changesAny, rowCount, idsOf } from "~db/connection.server";
import { sealedRecoveryCode, sealedSecondFactor } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";

export interface Factor {
  id: number;
  secret: string;
  activatedAt: string | null;
}

/**
 * How long a set-up that somebody began may go on. Its page shows the new key, which replaces the present factor without
 * another password, so one that was left behind must end.
 */
const SET_UP_MINUTES = 30;

const begunAfter = (now: Date) => toMoment(subMinutes(now, SET_UP_MINUTES));

/** The active factor, or the one whose set-up is going on. One that cannot be decrypted counts as none. */
export async function findFactor(
  db: DbOrTx,
  secrets: Secrets,
  userId: number,
  which: "active" | { pendingAt: Date },
): Promise<Factor | null> {
  const row = await db
    .selectFrom("secondFactor")
    .select(["id", "rowKey", "secretEncrypted", "activatedAt"])
    .where("userId", "=", userId)
    .where("isActive", "=", which === "active")
    .$if(which !== "active", (query) =>
      query.where("createdAt", ">", begunAfter((which as { pendingAt: Date }).pendingAt)),
    )
    .executeTakeFirst();
  if (row === undefined) return null;
  const secret = sealedSecondFactor.open(secrets, row);
  return secret === null ? null : { id: row.id, secret, activatedAt: row.activatedAt };
}

export async function hasFactor(db: DbOrTx, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom("secondFactor")
    .select("id")
    .where("userId", "=", userId)
    .where("isActive", "=", true)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertPending(
  tx: Tx,
  secrets: Secrets,
  { userId, secret }: { userId: number; secret: string },
  now: Date,
): Promise<void> {
  await deleteFactors(tx, userId, "pending");
  await tx
    .insertInto("secondFactor")
    .values({
      userId,
      isActive: false,
      ...sealedSecondFactor.seal(secrets, secret),
      lastStep: null,
      createdAt: toMoment(now),
      activatedAt: null,
    })
    .execute();
}

/** Consumes a TOTP step; false if it or a later one was used, so that one of two concurrent requests succeeds. */
export async function consumeTotpStep(tx: Tx, factorId: number, step: number): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("secondFactor")
      .set({ lastStep: step })
      .where("id", "=", factorId)
      .where((eb) => eb.or([eb("lastStep", "is", null), eb("lastStep", "<", step)])),
  );
}

/** Replaces the active factor by the pending one; false if that is gone or its set-up has ended. */
export async function activatePending(tx: Tx, userId: number, now: Date): Promise<boolean> {
  // Without a consumed step nobody has shown that the phone generates valid codes.
  const pending = await tx
    .selectFrom("secondFactor")
    .select("id")
    .where("userId", "=", userId)
    .where("isActive", "=", false)
    .where("lastStep", "is not", null)
    .where("createdAt", ">", begunAfter(now))
    .executeTakeFirst();
  if (pending === undefined) return false;
  await deleteFactors(tx, userId, "active");
  return changesAny(
    tx
      .updateTable("secondFactor")
      .set({ isActive: true, activatedAt: toMoment(now) })
      .where("id", "=", pending.id)
      .where("isActive", "=", false),
  );
}

export async function replaceCodes(tx: Tx, secrets: Secrets, factorId: number, hashes: string[]): Promise<void> {
  await tx.deleteFrom("recoveryCode").where("secondFactorId", "=", factorId).execute();
  await tx
    .insertInto("recoveryCode")
    .values(
      hashes.map((hash) => ({
        secondFactorId: factorId,
        ...sealedRecoveryCode.seal(secrets, hash),
        usedAt: null,
      })),
    )
    .execute();
}

export async function findUnusedCodes(db: DbOrTx, secrets: Secrets, factorId: number) {
  const rows = await db
    .selectFrom("recoveryCode")
    .select(["id", "rowKey", "codeEncrypted"])
    .where("secondFactorId", "=", factorId)
    .where("usedAt", "is", null)
    .execute();
  return rows.flatMap(({ id, ...row }) => {
    const stored = sealedRecoveryCode.open(secrets, row);
    return stored === null ? [] : [{ id, stored }];
  });
}

/** Puts a code's hash in the place of the code, unless it has been used meanwhile. */
export async function writeCodeHash(
  db: DbOrTx,
  secrets: Secrets,
  { id, hash }: { id: number; hash: string },
): Promise<void> {
  await db
    .updateTable("recoveryCode")
    .set(sealedRecoveryCode.seal(secrets, hash))
    .where("id", "=", id)
    .where("usedAt", "is", null)
    .execute();
}

export const countUnusedCodes = (db: DbOrTx, factorId: number): Promise<number> =>
  rowCount(db.selectFrom("recoveryCode").where("secondFactorId", "=", factorId).where("usedAt", "is", null));

/** Consumes a recovery code; false if used before. */
export async function useCode(tx: Tx, id: number, now: Date): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("recoveryCode")
      .set({ usedAt: toMoment(now) })
      .where("id", "=", id)
      .where("usedAt", "is", null),
  );
}

/** Deletes a person's factors, or only `which`; returns whether one was active. */
export async function deleteFactors(tx: DbOrTx, userId: number, which?: "active" | "pending"): Promise<boolean> {
  const rows = await tx
    .selectFrom("secondFactor")
    .select(["id", "isActive"])
    .where("userId", "=", userId)
    .$if(which !== undefined, (query) => query.where("isActive", "=", which === "active"))
    .execute();
  if (rows.length === 0) return false;
  const ids = idsOf(rows);
  await tx.deleteFrom("recoveryCode").where("secondFactorId", "in", ids).execute();
  await tx.deleteFrom("secondFactor").where("id", "in", ids).execute();
  return rows.some((row) => row.isActive);
}
