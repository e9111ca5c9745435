import type { DbOrTx } from "~db/connection.server";
import type { ReferralRow } from "./referral-store.server";

export async function hasWaitingCallUp(db: DbOrTx, { id }: Pick<ReferralRow, "id">): Promise<boolean> {
  const waiting = db.selectFrom("callUp").select("id").where("plannedReferralId", "=", id).limit(1);
  return (await waiting.executeTakeFirst()) !== undefined;
}

export async function hasDischargeLetter(db: DbOrTx, { id }: Pick<ReferralRow, "id">): Promise<boolean> {
  const letter = db
    .selectFrom("dischargeLetter")
    .select("id")
    .where("referralId", "=", id)
    .where("deletedAt", "is", null)
    .limit(1);
  return (await letter.executeTakeFirst()) !== undefined;
}

const MOST_DUPLICATES = 5;

/** Numbers of the patient's other sent referrals, newest first, for staff, who see all. */
export async function findOtherReferrals(
  db: DbOrTx,
  { id, patientId }: Pick<ReferralRow, "id" | "patientId">,
): Promise<number[]> {
  if (patientId === null) return [];
  const rows = await db
    .selectFrom("referral")
    .select("id")
    .where("patientId", "=", patientId)
    .where("id", "!=", id)
    .where("sentAt", "is not", null)
    .where("deletedAt", "is", null)
    .orderBy("id", "desc")
    .limit(MOST_DUPLICATES)
    .execute();
  return rows.map((row) => row.id);
}
