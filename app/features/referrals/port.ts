import type { ChangeContext } from "~/access/operation-context.server";
import type { ReferralRow } from "./store/referral-store.server";

/** Actions of other features when a plan is saved; each returns a Danish sentence. */
export interface PlanHooks {
  /** 'Send radiographs to the patient': carried out once; the box is cleared afterwards. */
  sendRadiographs(context: ChangeContext, row: ReferralRow): Promise<string>;
}
