import { forUpdate, type Tx } from "~db/connection.server";
import type { DatedReferral } from "~/features/referrals/model/next-date.server";

/** Locked, so that a change of another transaction is not followed from an older state. */
export function lockDated(
  tx: Tx,
  ids: readonly number[],
): Promise<(DatedReferral & { id: number; next_due_on: string })[]> {
  const rows = tx
    .selectFrom("referral")
    .select([
      "id",
      "status",
      "status_since",
      "create_date",
      "sent_at",
      "deleted_at",
      "is_test",
      "hold_until",
      "operation_date",
      "cancellation_date",
      "next_due_on",
    ])
    .where("id", "in", ids)
    .orderBy("id");
  return forUpdate(tx, rows).execute();
}

export async function saveNextDate(tx: Tx, ids: readonly number[], day: string): Promise<void> {
  await tx.updateTable("referral").set({ next_due_on: day }).where("id", "in", ids).execute();
}
