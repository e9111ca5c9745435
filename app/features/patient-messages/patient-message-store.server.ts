import type { Tx } from "~db/connection.server";

/** Records that e-Boks does not know the patient, so that it is not offered again. */
export async function markWithoutEboks(tx: Tx, referralId: number): Promise<void> {
  await tx.updateTable("referral").set({ patient_without_eboks: 1 }).where("id", "=", referralId).execute();
}
