import type { SerializeFrom } from "@remix-run/node";
import type { loader } from "./route";

/** What the overview's loader answers, as its views see it. */
export type OverviewList = SerializeFrom<typeof loader>;
export type OverviewRow = OverviewList["rows"][number];
