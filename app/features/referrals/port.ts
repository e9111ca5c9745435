import type { ChangeContext } from "~/access/operation-context.server";
import type { ReferralRow } from "./store/referral-store.server";

export interface PlanHooks {
  sendRadiographs(context: ChangeContext, row: ReferralRow): Promise<string>;
}
