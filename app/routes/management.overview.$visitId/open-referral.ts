import type { presentReferral } from "./present";

/** The open referral with texts, as its sections use it. */
export type OpenReferral = ReturnType<typeof presentReferral>;
