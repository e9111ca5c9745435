import type { Tx } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";

/** Makes transactions that add images to the same referral wait until this one's are committed; changes nothing. */
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

/** The way that the referrer sends the images. */
export async function updateRadiographsSendType(tx: Tx, referralId: ScopedReferralId, type: number): Promise<void> {
  await tx.updateTable("referral").set({ radiographs_send_type: type }).where("id", "=", referralId).execute();
}

/** Keeps the referral's own mark, which the overview reads, in step with its files. */
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
