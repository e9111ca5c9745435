import { drawBars, type Drawing, drawLines, drawRows } from "./drawing.server";
import type { PlotName } from "./plot-tables";
import type { Plots } from "./plots.server";

const ends = ["toOperation", "toCallUp", "toTriage"] as const;

/** Geometry of all plots; texts are added by the page. */
export function drawPlots({ referrals, waits, open, stopped, messages }: Plots): Record<PlotName, Drawing> {
  const lines = (which: "median" | "ninetiethPercentile") =>
    ends.map((end) => ({
      values: waits.months.map((month) => month[end][which]),
      isDashed: which === "ninetiethPercentile",
    }));
  return {
    henvisninger: drawBars(referrals.months.map(({ normal, urgent }) => ({ values: [normal, urgent] }))),
    ventetider: drawLines(waits.months.length, [...lines("median"), ...lines("ninetiethPercentile")]),
    aabne: drawRows(
      open.map(({ under7, to30, over30 }) => [under7, to30, over30]),
      { isShare: false },
    ),
    afbud: drawBars(stopped.months.map(({ cancelled, notReached }) => ({ values: [cancelled, notReached] }))),
    beskeder: drawRows(
      messages.map(({ sent, notRegistered, failed, unknown }) => [sent, notRegistered, failed, unknown]),
      { isShare: true },
    ),
  };
}
