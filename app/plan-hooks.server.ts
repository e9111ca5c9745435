import { sendRadiographsAsPlanned } from "./features/patient-links/send-as-planned.server";
import type { PlanHooks } from "./features/referrals/details/plan-hooks";

/** Hooks of a saved plan, assembled here so that referrals do not import other features. */
export const planHooks: PlanHooks = { sendRadiographs: sendRadiographsAsPlanned };
