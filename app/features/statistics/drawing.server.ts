import { scaleBand, scaleLinear } from "d3-scale";
import { line, stack } from "d3-shape";

/** Where everything of a plot stands, in the units of its own picture: drawn on the server, so that no script is sent for it. */
const WIDTH = 520;
const HEIGHT = 190;
const LEFT = 38;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 24;
/** Room at the end of lines for their last value. */
const END = 34;

interface Rect {
  series: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

const round = (value: number) => Math.round(value * 10) / 10;

function axis(most: number) {
  const scale = scaleLinear()
    .domain([0, Math.max(most, 4)])
    .nice(4)
    .range([HEIGHT - BOTTOM, TOP]);
  const whole = scale.ticks(4).filter(Number.isInteger);
  return { scale, ticks: whole.map((value) => ({ value, y: round(scale(value)) })) };
}

/** At most so many names stand under a plot. */
const MOST_LABELS = 13;
const shown = (index: number, count: number) => index % Math.ceil(count / MOST_LABELS) === 0;

/** Bars that stand, their parts on top of each other. */
export function drawBars(groups: { values: number[] }[]) {
  const x = scaleBand<number>()
    .domain(groups.map((_, index) => index))
    .range([LEFT, WIDTH - RIGHT])
    .padding(0.42);
  const { scale: y, ticks } = axis(Math.max(0, ...groups.map(({ values }) => values.reduce((sum, n) => sum + n, 0))));
  const series = groups[0]?.values.map((_, index) => index) ?? [];
  const parts = stack<{ values: number[] }, number>()
    .keys(series)
    .value(({ values }, key) => values[key] ?? 0)(groups);
  return {
    kind: "bars" as const,
    width: WIDTH,
    height: HEIGHT,
    left: LEFT,
    ticks,
    groups: groups.map((_, index) => ({
      isNamed: shown(index, groups.length),
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

/** Lines over months; where nothing was counted a line is broken. */
export function drawLines(months: number, series: { values: (number | null)[]; isDashed?: boolean }[]) {
  const x = scaleLinear()
    .domain([0, Math.max(1, months - 1)])
    .range([LEFT + 14, WIDTH - RIGHT - END]);
  const { scale: y, ticks } = axis(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => round(x(index)))
    .y((value) => round(y(value!)));
  return {
    kind: "lines" as const,
    width: WIDTH,
    height: HEIGHT,
    left: LEFT,
    ticks,
    months: Array.from({ length: months }, (_, index) => ({ isNamed: shown(index, months), x: round(x(index)) })),
    lines: series.map(({ values, isDashed = false }) => ({
      path: path(values) ?? "",
      isDashed,
      points: values.flatMap((value, index) =>
        value === null ? [] : [{ x: round(x(index)), y: round(y(value)), value }],
      ),
    })),
  };
}

const ROW = 26;
const BAR = 13;

/** Bars that lie, parts beside each other; `isShare`: each as long as all others, parted by share. `names` and `notes`: room for them. */
export function drawRows(
  rows: number[][],
  { isShare, names, notes }: { isShare: boolean; names: number; notes: number },
) {
  const total = (values: number[]) => values.reduce((sum, n) => sum + n, 0);
  const most = Math.max(1, ...rows.map(total));
  return {
    kind: "rows" as const,
    width: WIDTH,
    height: rows.length * ROW + 6,
    names,
    rows: rows.map((values, index) => {
      const x = scaleLinear()
        .domain([0, isShare ? Math.max(1, total(values)) : most])
        .range([names + 10, WIDTH - notes]);
      const y = index * ROW + 6;
      let before = 0;
      const parts = values.flatMap((value, series): Rect[] => {
        const from = x(before);
        before += value;
        return value > 0 ? [{ series, x: round(from), y, width: round(x(before) - from), height: BAR }] : [];
      });
      return { parts, y: y + BAR - 2, end: round(x(total(values)) + 6) };
    }),
  };
}

export type Drawing = ReturnType<typeof drawBars> | ReturnType<typeof drawLines> | ReturnType<typeof drawRows>;
