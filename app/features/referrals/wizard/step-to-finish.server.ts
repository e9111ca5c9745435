import type { ReadContext } from "~/access/operation.server";
import { takesApprovalFile } from "~/features/referrals/model/referral";
import { findAutosaves, autosaveKeyOf } from "~/features/referrals/store/autosave-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

/**
 * The step at which 'Ret' opens a draft: step 1 with unsaved text or a missing approval, else the last one reached. A
 * sent referral opens at step 1.
 */
export async function stepToFinish(
  { db, portal, person }: Pick<ReadContext, "db" | "portal" | "person">,
  row: ReferralRow,
): Promise<number> {
  if (row.sent_at !== null) return 1;
  if ((await findAutosaves(db, portal.secrets, person.id, autosaveKeyOf(row.id))).length > 0) return 1;
  const wantsApproval = takesApprovalFile({ paymentType: row.payment_type, approvalType: row.approval_type });
  if (wantsApproval && !(await findFiles(db, row.id)).some(({ kind }) => kind === "approval")) return 1;
  return row.available_step;
}
