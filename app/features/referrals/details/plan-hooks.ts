import type { ChangeContext } from "~/access/operation.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

/** What a plan asks of other features when it is saved. Each answers what it did, in a Danish sentence. */
export interface PlanHooks {
  /** 'Send radiographs to the patient': done once, whatever comes of it; the box is empty again afterwards. */
  sendRadiographs(context: ChangeContext, row: ReferralRow): Promise<string>;
}
