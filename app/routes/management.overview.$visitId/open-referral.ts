import type { presentReferral } from "./present";

export type OpenReferral = ReturnType<typeof presentReferral>;
