import type { Tx } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { toMoment } from "~/text/dates";

export const ESTIMATE = "offer";
export type BillKind = "invoice" | typeof ESTIMATE;

export async function insertBill(
  tx: Tx,
  bill: { referralId: ScopedReferralId; outboxId: number; kind: BillKind },
  now: Date,
): Promise<void> {
  await tx
    .insertInto("billingLetter")
    .values({
      referralId: bill.referralId,
      outboxId: bill.outboxId,
      kind: bill.kind,
      status: 0,
      sendDate: null,
      createdAt: toMoment(now),
    })
    .execute();
}
