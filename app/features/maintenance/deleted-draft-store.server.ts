import type { DbOrTx, Tx } from "~db/connection.server";
import { removeUnusedPatient } from "~/features/referrals/wizard/patient-email.server";
import { toMoment } from "~/text/dates";

export async function findDeletedDrafts(db: DbOrTx, before: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("referral")
    .select("id")
    .where("deleted_at", "<", toMoment(before))
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Deletes a draft with its dependents and its patient, unless another referral names them; its files become due for
 * purging.
 */
export async function purgeDraft(tx: Tx, id: number, now: Date): Promise<void> {
  const fileIds = tx.selectFrom("referral_file").select("stored_file_id").where("referral_id", "=", id);
  await tx
    .updateTable("stored_file")
    .set({ purge_after: toMoment(now) })
    .where("id", "in", fileIds)
    .execute();
  for (const table of [
    "referral_name_token",
    "autosave",
    "visit_log",
    "statistics_contribution",
    "awaited_sending",
  ] as const)
    await tx.deleteFrom(table).where("referral_id", "=", id).execute();
  const draft = await tx.selectFrom("referral").select("patient_id").where("id", "=", id).executeTakeFirst();
  await tx.deleteFrom("referral").where("id", "=", id).execute();
  await removeUnusedPatient(tx, draft?.patient_id ?? null);
}
