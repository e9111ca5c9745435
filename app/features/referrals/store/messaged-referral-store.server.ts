import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import { trustedReferral } from "~/access/scope.server";
import { toMoment } from "~/text/dates";
import { type ReferralRow, withoutComment } from "./referral-store.server";

export async function findMessageReferral(db: DbOrTx, id: number): Promise<ReferralRow | undefined> {
  return ofMessage(await db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirst());
}

export async function lockMessageReferral(tx: Tx, id: number): Promise<ReferralRow | undefined> {
  return ofMessage(await forUpdate(tx, tx.selectFrom("referral").selectAll().where("id", "=", id)).executeTakeFirst());
}

const ofMessage = <Row extends { id: number }>(row: Row | undefined) => row && { ...row, id: trustedReferral(row.id) };

/**
 * Changes the status if it is still the given one (since exactly `since`, if set), and raises its version. Returns
 * whether it did.
 */
export async function moveStatus(
  tx: Tx,
  referralId: number,
  { from, to, since }: { from: number; to: number; since?: string },
  now: Date,
): Promise<boolean> {
  const moved = await tx
    .updateTable("referral")
    .set((eb) => ({ status: to, status_since: toMoment(now), status_version: eb("status_version", "+", 1) }))
    .set(withoutComment(to))
    .where("id", "=", referralId)
    .where("status", "=", from)
    .$if(since !== undefined, (query) => query.where("status_since", "=", since!))
    .executeTakeFirst();
  markReferrals(tx, [referralId]);
  return moved.numUpdatedRows > 0n;
}
