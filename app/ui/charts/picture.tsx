import { Fragment } from "react";
import { type Series, toneClass } from "./series";

interface Part {
  series: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Ticks {
  width: number;
  height: number;
  left: number;
  ticks: { value: number; y: number }[];
}

export interface BarsDrawing extends Ticks {
  groups: { isNamed: boolean; x: number; parts: Part[] }[];
}

export interface LinesDrawing extends Ticks {
  months: { isNamed: boolean; x: number }[];
  lines: { path: string; isDashed: boolean; points: { x: number; y: number; value: number }[] }[];
}

export interface RowsDrawing {
  width: number;
  height: number;
  names: number;
  rows: { parts: Part[]; y: number; end: number }[];
}

/** The table beside it says the same in words: the picture is for eyes alone. */
const picture = (width: number, height: number) => ({
  viewBox: `0 0 ${width} ${height}`,
  "aria-hidden": true,
  focusable: false,
});

function Grid({ ticks, left, width }: Ticks) {
  return (
    <>
      {ticks.map(({ value, y }) => (
        <Fragment key={value}>
          <line x1={left} x2={width} y1={y} y2={y} className="plot-grid" />
          <text x={left - 8} y={y + 4} textAnchor="end">
            {value}
          </text>
        </Fragment>
      ))}
    </>
  );
}

function Parts({ parts, series, hatch }: { parts: Part[]; series: readonly Series[]; hatch: string }) {
  return (
    <>
      {parts.map(({ series: index, ...rect }) => (
        <Fragment key={index}>
          <rect {...rect} className={`plot-part ${toneClass(series[index]!)}`} />
          {series[index]!.isHatched && <rect {...rect} fill={`url(#${hatch})`} />}
        </Fragment>
      ))}
    </>
  );
}

const Hatch = ({ id }: { id: string }) => (
  <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
    <path d="M0 6 6 0" className="plot-hatch" />
  </pattern>
);

interface PictureProps<D> {
  id: string;
  drawing: D;
  series: readonly Series[];
  /** Names of the bars, the rows or the months, in order. */
  labels: readonly string[];
}

/** Bars that stand; the last is pale where its month still runs. */
export function Bars({
  id,
  drawing,
  series,
  labels,
  isLastRunning,
}: PictureProps<BarsDrawing> & { isLastRunning: boolean }) {
  const { groups, height, width } = drawing;
  return (
    <svg {...picture(width, height)}>
      <Hatch id={`${id}-skravering`} />
      <Grid {...drawing} />
      {groups.map(({ isNamed, x, parts }, index) => (
        <g key={x} className={isLastRunning && index === groups.length - 1 ? "plot-pale" : undefined}>
          <Parts parts={parts} series={series} hatch={`${id}-skravering`} />
          <text x={x} y={height - 7} textAnchor="middle">
            {isNamed && labels[index]}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** Lines; the last value of each that is not dashed stands at its end. A dashed line belongs to the solid one of its tone. */
export function Lines({ drawing, series, labels }: Omit<PictureProps<LinesDrawing>, "id">) {
  const { lines, months, height, width } = drawing;
  return (
    <svg {...picture(width, height)}>
      <Grid {...drawing} />
      {months.map(({ isNamed, x }, index) => (
        <text key={x} x={x} y={height - 7} textAnchor="middle">
          {isNamed && labels[index]}
        </text>
      ))}
      {lines.map(({ path, isDashed, points }, index) => {
        const tone = series[index % series.length]!;
        const end = points[points.length - 1];
        return (
          <g key={index} className={toneClass(tone)}>
            <path d={path} className={`plot-line${isDashed ? " plot-line-dashed" : ""}`} />
            {end && !isDashed && (
              <>
                <circle cx={end.x} cy={end.y} r="4" />
                <text x={end.x + 9} y={end.y + 4} className="plot-value">
                  {end.value}
                </text>
              </>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** Bars that lie, each with its name and its number. */
export function Rows({
  id,
  drawing: { rows, names, height, width },
  series,
  labels,
  notes,
}: PictureProps<RowsDrawing> & { notes: readonly string[] }) {
  return (
    <svg {...picture(width, height)}>
      <Hatch id={`${id}-skravering`} />
      {rows.map(({ parts, y, end }, index) => (
        <g key={y}>
          <text x={names} y={y} textAnchor="end">
            {labels[index]}
          </text>
          <Parts parts={parts} series={series} hatch={`${id}-skravering`} />
          <text x={end} y={y} className="plot-value">
            {notes[index]}
          </text>
        </g>
      ))}
    </svg>
  );
}
