import type { DbOrTx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { can } from "~/access/permissions";
import { findProgress } from "./store.server";

/**
 * Whether a referral's messages are under way, with a text that changes when one is settled. Null for those who may not
 * write to patients or see the referral.
 */
export async function readSendingProgress(db: DbOrTx, actor: Actor, referralId: number) {
  if (!can(actor, "patientMessage.send")) return null;
  const found = await findProgress(db, actor, referralId);
  if (found === undefined) return null;
  const { underWay, statusVersion, changedAt } = found;
  return { isUnderWay: Number(underWay) > 0, state: [underWay, statusVersion, changedAt].join(" ") };
}
