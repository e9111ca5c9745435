import type { Tx } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";

/** Serialises transactions that add images to a referral; changes nothing. */
export async function lockRadiographs(tx: Tx, referralId: ScopedReferralId): Promise<void> {
  await tx
    .updateTable("referral")
    .set((eb) => ({ has_radiographs: eb.ref("has_radiographs") }))
    .where("id", "=", referralId)
    .execute();
}

export async function updateRadiographType(tx: Tx, fileId: number, radiographType: number): Promise<void> {
  await tx.updateTable("referral_file").set({ radiograph_type: radiographType }).where("id", "=", fileId).execute();
}

export async function updateRadiographTypes(tx: Tx, fileIds: readonly number[], radiographType: number): Promise<void> {
  await tx.updateTable("referral_file").set({ radiograph_type: radiographType }).where("id", "in", fileIds).execute();
}

export async function updateRadiographsSendType(tx: Tx, referralId: ScopedReferralId, type: number): Promise<void> {
  await tx.updateTable("referral").set({ radiographs_send_type: type }).where("id", "=", referralId).execute();
}

/** Updates the overview's image mark. */
export async function refreshRadiographMark(tx: Tx, referralId: ScopedReferralId): Promise<void> {
  const one = await tx
    .selectFrom("referral_file")
    .select("id")
    .where("referral_id", "=", referralId)
    .where("kind", "=", "radiograph")
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  await tx
    .updateTable("referral")
    .set({ has_radiographs: one ? 1 : 0 })
    .where("id", "=", referralId)
    .execute();
}
