import type { presentReferral } from "./present";

/** The open referral in words, as its sections see it. */
export type OpenReferral = ReturnType<typeof presentReferral>;
