import { scaleBand, scaleLinear } from "d3-scale";
import { line, stack } from "d3-shape";

/**
 * Where everything of a plot stands, drawn on the server, so that no script is sent for it: across in hundredths of its width, down in pixels.
 * So a plot is as wide as its place, and its words are as large as others, on a phone too.
 */
const ACROSS = 100;
const HEIGHT = 190;
const TOP = 10;
const BOTTOM = 24;
/** Room for the words beside the last point of a line, and from one of them to the next. */
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

/** At most so many names stand under a plot. */
const MAX_NAMES = 13;

/** Whether a name stands under a bar or a point: everywhere, where there is room for all, or nowhere. The last always does. */
function named(index: number, count: number): "always" | "wide" | "never" {
  const step = Math.ceil(count / MAX_NAMES);
  const before = count - 1 - index;
  if (before % step !== 0) return "never";
  return count > MAX_NAMES / 2 && (before / step) % 2 === 1 ? "wide" : "always";
}

/** Bars that stand, their parts on top of each other. */
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

/** Lines over months; where nothing was counted a line is broken. The last value of each that is not dashed is named beside it. */
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

/** Moves words that would stand on each other apart, from the foot of the plot upwards. */
function partLabels(ends: { labelY: number }[]): void {
  let lowest = HEIGHT;
  for (const end of [...ends].sort((a, b) => b.labelY - a.labelY)) {
    end.labelY = Math.min(end.labelY, lowest);
    lowest = end.labelY - LABEL_HEIGHT;
  }
}

/** Bars that lie, parts beside each other; `isShare`: each as long as all others, parted by share. */
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
