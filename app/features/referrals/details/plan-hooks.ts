import type { ChangeContext } from "~/access/operation.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

/** Actions of other features when a plan is saved; each returns a Danish sentence. */
export interface PlanHooks {
  /** 'Send radiographs to the patient': carried out once; the box is cleared afterwards. */
  sendRadiographs(context: ChangeContext, row: ReferralRow): Promise<string>;
}
