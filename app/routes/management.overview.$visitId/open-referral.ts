import type { SerializeFrom } from "@remix-run/node";
import type { loader } from "./route";

/** What the open referral's loader answers, as its sections see it. */
export type OpenReferral = SerializeFrom<typeof loader>;
