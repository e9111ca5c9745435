import type { DbOrTx, Tx } from "~db/connection.server";
import { sealedRecoveryCode, sealedSecondFactor } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";

/** A person's factor, in use or being set up. */
export interface Factor {
  id: number;
  /** In base 32. */
  secret: string;
  activatedAt: string | null;
}

/** The factor in use, or the one that is being set up. One that does not open, since its key is lost, is none. */
export async function findFactor(
  db: DbOrTx,
  secrets: Secrets,
  userId: number,
  which: "active" | "pending",
): Promise<Factor | null> {
  const row = await db
    .selectFrom("second_factor")
    .select(["id", "row_key", "secret_encrypted", "activated_at"])
    .where("user_id", "=", userId)
    .where("is_active", "=", which === "active" ? 1 : 0)
    .executeTakeFirst();
  if (row === undefined) return null;
  const secret = sealedSecondFactor.open(secrets, row);
  return secret === null ? null : { id: row.id, secret, activatedAt: row.activated_at };
}

/** Whether a person has one in use, whether it opens or not. */
export async function hasFactor(db: DbOrTx, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom("second_factor")
    .select("id")
    .where("user_id", "=", userId)
    .where("is_active", "=", 1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Begins to set a factor up; one that was begun before is deleted. */
export async function insertPending(
  tx: Tx,
  secrets: Secrets,
  { userId, secret }: { userId: number; secret: string },
  now: Date,
): Promise<void> {
  await deleteFactors(tx, userId, "pending");
  await tx
    .insertInto("second_factor")
    .values({
      user_id: userId,
      is_active: 0,
      ...sealedSecondFactor.seal(secrets, secret),
      last_step: null,
      created_at: toMoment(now),
      activated_at: null,
    })
    .execute();
}

/** Marks a code's time step as used. Answers false when it or a later one was used before: of two simultaneous requests one succeeds. */
export async function consumeTotpStep(tx: Tx, factorId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("second_factor")
    .set({ last_step: step })
    .where("id", "=", factorId)
    .where((eb) => eb.or([eb("last_step", "is", null), eb("last_step", "<", step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Puts the factor that was set up in the place of the one in use. Answers false when it has gone meanwhile. */
export async function activatePending(tx: Tx, userId: number, now: Date): Promise<boolean> {
  // Without a step nobody has shown that their telephone makes the right codes.
  const pending = await tx
    .selectFrom("second_factor")
    .select("id")
    .where("user_id", "=", userId)
    .where("is_active", "=", 0)
    .where("last_step", "is not", null)
    .executeTakeFirst();
  if (pending === undefined) return false;
  await deleteFactors(tx, userId, "active");
  const { numUpdatedRows } = await tx
    .updateTable("second_factor")
    .set({ is_active: 1, activated_at: toMoment(now) })
    .where("id", "=", pending.id)
    .where("is_active", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives a factor other codes. */
export async function replaceCodes(tx: Tx, secrets: Secrets, factorId: number, codes: string[]): Promise<void> {
  await tx.deleteFrom("recovery_code").where("second_factor_id", "=", factorId).execute();
  await tx
    .insertInto("recovery_code")
    .values(
      codes.map((code) => ({
        second_factor_id: factorId,
        ...sealedRecoveryCode.seal(secrets, code),
        used_at: null,
      })),
    )
    .execute();
}

/** The codes that have not been used. */
export async function findUnusedCodes(db: DbOrTx, secrets: Secrets, factorId: number) {
  const rows = await db
    .selectFrom("recovery_code")
    .select(["id", "row_key", "code_encrypted"])
    .where("second_factor_id", "=", factorId)
    .where("used_at", "is", null)
    .execute();
  return rows.flatMap((row) => {
    const code = sealedRecoveryCode.open(secrets, row);
    return code === null ? [] : [{ id: row.id, code }];
  });
}

export async function countUnusedCodes(db: DbOrTx, factorId: number): Promise<number> {
  const { count } = await db
    .selectFrom("recovery_code")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("second_factor_id", "=", factorId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Uses a code up. Answers false when it was used before: of two at the same moment one gets it. */
export async function useCode(tx: Tx, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("recovery_code")
    .set({ used_at: toMoment(now) })
    .where("id", "=", id)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a person's factor, or both the one in use and the one that is being set up. Answers whether one was in use. */
export async function deleteFactors(tx: DbOrTx, userId: number, which?: "active" | "pending"): Promise<boolean> {
  const rows = await tx
    .selectFrom("second_factor")
    .select(["id", "is_active"])
    .where("user_id", "=", userId)
    .$if(which !== undefined, (query) => query.where("is_active", "=", which === "active" ? 1 : 0))
    .execute();
  if (rows.length === 0) return false;
  const ids = rows.map(({ id }) => id);
  await tx.deleteFrom("recovery_code").where("second_factor_id", "in", ids).execute();
  await tx.deleteFrom("second_factor").where("id", "in", ids).execute();
  return rows.some((row) => row.is_active === 1);
}
