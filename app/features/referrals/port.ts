import type { ChangeContext } from "~/access/operation-context.server";
import type { ReferralRow } from "./store/referral-store.server";

/** What follows a change of a referral in features that referrals do not know. */
export interface ReferralHooks {
  sendRadiographs(context: ChangeContext, row: ReferralRow): Promise<string>;
  /** Once, in the transaction in which the referral arrives. */
  sendCaseLink(
    context: Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor" | "now">,
    row: ReferralRow,
  ): Promise<void>;
}
