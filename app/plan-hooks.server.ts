import { sendRadiographsAsPlanned } from "./features/patient-links/send-as-planned.server";
import type { PlanHooks } from "./features/referrals/details/plan-hooks";

/** What a plan asks of other features: named here, above them, so that referrals need not know those that use them. */
export const planHooks: PlanHooks = { sendRadiographs: sendRadiographsAsPlanned };
