import { scaleBand, scaleLinear } from "d3-scale";
import { line, stack } from "d3-shape";

/**
 * Plots are laid out on the server, so no script is needed: horizontally in percent of the width, vertically in pixels.
 * So a plot fills its place with text at normal size, on phones too.
 */
const ACROSS = 100;
const HEIGHT = 190;
const TOP = 10;
const BOTTOM = 24;
const LAST_POINT = 92;
const LABEL_HEIGHT = 13;

interface Rect {
  series: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

const round = (value: number) => Math.round(value * 10) / 10;
const total = (values: number[]) => values.reduce((sum, n) => sum + n, 0);

function axis(max: number) {
  const scale = scaleLinear()
    .domain([0, Math.max(max, 4)])
    .nice(4)
    .range([HEIGHT - BOTTOM, TOP]);
  const whole = scale.ticks(4).filter(Number.isInteger);
  return { scale, ticks: whole.map((value) => ({ value, y: round(scale(value)) })) };
}

const MAX_NAMES = 13;

/** Whether a label is shown: always, only on wide screens, or never. The last one always is. */
function named(index: number, count: number): "always" | "wide" | "never" {
  const step = Math.ceil(count / MAX_NAMES);
  const before = count - 1 - index;
  if (before % step !== 0) return "never";
  return count > MAX_NAMES / 2 && (before / step) % 2 === 1 ? "wide" : "always";
}

export function drawBars(groups: { values: number[] }[]) {
  const x = scaleBand<number>()
    .domain(groups.map((_, index) => index))
    .range([0, ACROSS])
    .padding(0.42);
  const { scale: y, ticks } = axis(Math.max(0, ...groups.map(({ values }) => total(values))));
  const series = groups[0]?.values.map((_, index) => index) ?? [];
  const parts = stack<{ values: number[] }, number>()
    .keys(series)
    .value(({ values }, key) => values[key] ?? 0)(groups);
  return {
    kind: "bars" as const,
    height: HEIGHT,
    ticks,
    groups: groups.map((_, index) => ({
      named: named(index, groups.length),
      x: round(x(index)! + x.bandwidth() / 2),
      parts: parts.flatMap((part, key): Rect[] => {
        const [from, to] = part[index]!;
        return to > from
          ? [
              {
                series: key,
                x: round(x(index)!),
                width: round(x.bandwidth()),
                y: round(y(to)),
                height: round(y(from) - y(to)),
              },
            ]
          : [];
      }),
    })),
  };
}

/** Lines over months, interrupted where nothing was counted. The last value of solid lines is labelled. */
export function drawLines(months: number, series: { values: (number | null)[]; isDashed?: boolean }[]) {
  const x = scaleLinear()
    .domain([0, Math.max(1, months - 1)])
    .range([4, LAST_POINT]);
  const { scale: y, ticks } = axis(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => round(x(index)))
    .y((value) => round(y(value!)));
  const lines = series.map(({ values, isDashed = false }) => {
    const index = values.findLastIndex((value) => value !== null);
    const value = values[index];
    return {
      path: path(values) ?? "",
      isDashed,
      end:
        isDashed || value === null || value === undefined
          ? null
          : { x: round(x(index)), y: round(y(value)), value, labelY: round(y(value)) },
    };
  });
  partLabels(lines.flatMap(({ end }) => end ?? []));
  return {
    kind: "lines" as const,
    height: HEIGHT,
    across: ACROSS,
    ticks,
    months: Array.from({ length: months }, (_, index) => ({ named: named(index, months), x: round(x(index)) })),
    lines,
  };
}

function partLabels(ends: { labelY: number }[]): void {
  let lowest = HEIGHT;
  for (const end of [...ends].sort((a, b) => b.labelY - a.labelY)) {
    end.labelY = Math.min(end.labelY, lowest);
    lowest = end.labelY - LABEL_HEIGHT;
  }
}

/** Stacked horizontal bars; `isShare` scales each to full length. */
export function drawRows(rows: number[][], { isShare }: { isShare: boolean }) {
  const max = Math.max(1, ...rows.map(total));
  return {
    kind: "rows" as const,
    isShare,
    rows: rows.map((values) => {
      const x = scaleLinear()
        .domain([0, isShare ? Math.max(1, total(values)) : max])
        .range([0, ACROSS]);
      let before = 0;
      const parts = values.flatMap((value, series) => {
        const from = x(before);
        before += value;
        return value > 0 ? [{ series, x: round(from), width: round(x(before) - from) }] : [];
      });
      return { parts, end: round(x(total(values))) };
    }),
  };
}

export type Drawing = ReturnType<typeof drawBars> | ReturnType<typeof drawLines> | ReturnType<typeof drawRows>;
