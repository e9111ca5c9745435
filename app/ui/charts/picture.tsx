import { Fragment, type ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";
import { buttonClass } from "~/ui/forms/button";

type Named = "always" | "wide" | "never";

interface Part {
  series: number;
  x: number;
  width: number;
  y: number;
  height: number;
}

interface Ticks {
  height: number;
  ticks: { value: number; y: number }[];
}

interface BarsDrawing extends Ticks {
  groups: { named: Named; x: number; parts: Part[] }[];
}

interface LinesDrawing extends Ticks {
  across: number;
  months: { named: Named; x: number }[];
  lines: {
    path: string;
    isDashed: boolean;
    end: { x: number; y: number; value: number; labelY: number } | null;
  }[];
}

interface RowsDrawing {
  isShare: boolean;
  rows: { parts: Omit<Part, "y" | "height">[]; end: number }[];
}

const percent = (hundredths: number) => `${hundredths}%`;

/** The table has the same content, so the picture is hidden from screen readers. */
const forEyes = { "aria-hidden": true, focusable: false } as const;

function Grid({ ticks }: Ticks) {
  return (
    <>
      {ticks.map(({ value, y }) => (
        <Fragment key={value}>
          <line x1="0" x2="100%" y1={y} y2={y} className="plot-grid" />
          <text x={-8} y={y + 4} textAnchor="end">
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
      {parts.map(({ series: index, x, width, ...down }) => {
        const rect = { ...down, x: percent(x), width: percent(width) };
        return (
          <Fragment key={index}>
            <rect {...rect} className={`plot-part ${toneClass(series[index]!)}`} />
            {series[index]!.isHatched && <rect {...rect} fill={`url(#${hatch})`} />}
          </Fragment>
        );
      })}
    </>
  );
}

const Hatch = ({ id }: { id: string }) => (
  <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
    <path d="M0 6 6 0" className="plot-hatch" />
  </pattern>
);

/** A name below the axis; a part in brackets gets a line of its own. */
function Name({ named, x, y, children = "" }: { named: Named; x: number; y: number; children?: string }) {
  if (named === "never") return null;
  const [name, note] = children.split(" (");
  return (
    <text x={percent(x)} y={y} textAnchor="middle" className={named === "wide" ? "plot-wide" : undefined}>
      {name}
      {note && (
        <tspan x={percent(x)} dy="14">
          ({note}
        </tspan>
      )}
    </text>
  );
}

interface PictureProps<D> {
  id: string;
  drawing: D;
  series: readonly Series[];
  labels: readonly string[];
}

export function Bars({
  id,
  drawing,
  series,
  labels,
  isLastRunning,
}: PictureProps<BarsDrawing> & { isLastRunning: boolean }) {
  const { groups, height } = drawing;
  const isRunning = (index: number) => isLastRunning && index === groups.length - 1;
  return (
    <svg {...forEyes} height={height} className="plot-axes">
      <Hatch id={`${id}-skravering`} />
      <Grid {...drawing} />
      {groups.map(({ named, x, parts }, index) => (
        <g key={x}>
          <g className={isRunning(index) ? "plot-pale" : undefined}>
            <Parts parts={parts} series={series} hatch={`${id}-skravering`} />
          </g>
          <Name named={named} x={x} y={height - 7}>
            {labels[index]}
          </Name>
        </g>
      ))}
    </svg>
  );
}

/** Lines; the last value of solid ones is labelled. A dashed line belongs to the solid one of its tone. */
export function Lines({ drawing, series, labels }: Omit<PictureProps<LinesDrawing>, "id">) {
  const { across, lines, months, height } = drawing;
  const seriesOf = (index: number) => series[index % series.length]!;
  return (
    <svg {...forEyes} height={height} className="plot-axes">
      <Grid {...drawing} />
      {months.map(({ named, x }, index) => (
        <Name key={index} named={named} x={x} y={height - 7}>
          {labels[index]}
        </Name>
      ))}
      <svg viewBox={`0 0 ${across} ${height}`} preserveAspectRatio="none" width="100%" height={height}>
        {lines.map(({ path, isDashed }, index) => (
          <g key={index} className={toneClass(seriesOf(index))}>
            <path
              d={path}
              vectorEffect="non-scaling-stroke"
              className={classNames("plot-line", isDashed && "plot-line-dashed")}
            />
          </g>
        ))}
      </svg>
      {lines.map(
        ({ end }, index) =>
          end && (
            <g key={index} className={toneClass(seriesOf(index))}>
              <svg x={percent(end.x)} y={end.y} className="plot-mark">
                <path d={marks[seriesOf(index).mark ?? "circle"]} />
              </svg>
              <text x={percent(end.x)} dx="9" y={end.labelY + 4} className="plot-value">
                {end.value}
              </text>
            </g>
          ),
      )}
    </svg>
  );
}

const BAR = { y: 4, height: 13 };

export function Rows({
  id,
  drawing: { isShare, rows },
  series,
  labels,
  notes,
}: PictureProps<RowsDrawing> & { notes: readonly string[] }) {
  return (
    <div aria-hidden="true" className={classNames("plot-rows", isShare && "plot-rows-shares")}>
      {rows.map(({ parts, end }, index) => (
        <div key={labels[index]} className="plot-row">
          <span className="plot-name">{labels[index]}</span>
          <span className="plot-bar">
            <svg {...forEyes} height="21">
              {index === 0 && <Hatch id={`${id}-skravering`} />}
              <Parts parts={parts.map((part) => ({ ...part, ...BAR }))} series={series} hatch={`${id}-skravering`} />
              <text x={percent(end)} dx="7" y="15" className="plot-value">
                {notes[index]}
              </text>
            </svg>
          </span>
        </div>
      ))}
    </div>
  );
}

/**
 * Look of a series: blue by amount or age, red only for urgent or failed. Patterns and marks distinguish them without
 * colour.
 */
export interface Series {
  label: string;
  tone: "light" | "mid" | "dark" | "warn" | "red";
  isHatched?: boolean;
  mark?: keyof typeof marks;
}

const marks = {
  circle: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  square: "M-4-4h8v8h-8z",
  diamond: "M0-5.5 5.5 0 0 5.5-5.5 0z",
} as const;

const toneClass = ({ tone }: Series) => `plot-${tone}`;

interface NumbersTable {
  heads: string[];
  groups?: { label: string; parts: readonly string[] }[];
  rows: (string | number | null)[][];
}

interface PlotPanelProps {
  id: string;
  title: string;
  finding: ReactNode;
  series: readonly Series[];
  table: NumbersTable;
  csv: string;
  isLastRunning?: boolean;
  children: ReactNode;
}

/** Number columns on a phone; more become lines. */
const MAX_COLUMNS = 3;

export function PlotPanel({ id, title, finding, series, table, csv, isLastRunning = false, children }: PlotPanelProps) {
  const heads = table.heads.slice(1);
  return (
    <section className="plot panel panel-body" aria-labelledby={`${id}-titel`} id={id}>
      <h2 id={`${id}-titel`}>{title}</h2>
      <p className="mt-1 mb-2 text-ink2">{finding}</p>
      <ul className="flex flex-wrap list-none p-0 mt-0 mx-0 mb-2 meta">
        {series.map((each) => (
          <li key={each.label} className="mr-4 flex items-center">
            <svg className="plot-key" viewBox="0 0 12 12" aria-hidden="true">
              {each.mark ? (
                <path d={marks[each.mark]} transform="translate(6 6)" className={toneClass(each)} />
              ) : (
                <rect width="12" height="12" className={toneClass(each)} />
              )}
              {each.isHatched && <path d="M0 6 6 0M0 12 12 0M6 12l6-6" className="plot-hatch" />}
            </svg>
            {each.label}
          </li>
        ))}
        {isLastRunning && (
          <li className="flex items-center">
            <svg className="plot-key plot-pale" viewBox="0 0 12 12" aria-hidden="true">
              <rect width="12" height="12" className={toneClass(series[0]!)} />
            </svg>
            måneden er ikke slut
          </li>
        )}
      </ul>
      {children}
      <input type="checkbox" className="plot-toggle sr-only" id={`${id}-tal`} />
      <label htmlFor={`${id}-tal`} className={classNames(buttonClass({ size: "small", variant: "soft" }), "mt-3 mr-2")}>
        Vis tal
      </label>
      <a href={csv} className="no-print ml-2" download="">
        CSV<span className="sr-only"> med tallene i {title}</span>
      </a>
      <div className={classNames("plot-numbers", heads.length > MAX_COLUMNS && "plot-numbers-wide")}>
        <table>
          <caption className="sr-only">{title}</caption>
          <Heads {...table} />
          <tbody>
            {table.rows.map(([name, ...cells]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, index) => (
                  <td key={heads[index]} data-label={heads[index]}>
                    {cell ?? "–"}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Heads({ heads: [first, ...heads], groups }: NumbersTable) {
  if (!groups)
    return (
      <thead>
        <tr>
          {[first, ...heads].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
    );
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={2}>
          {first}
        </th>
        {groups.map(({ label, parts }) => (
          <th key={label} scope="colgroup" colSpan={parts.length}>
            {label}
          </th>
        ))}
      </tr>
      <tr>
        {groups.map(({ label, parts }) =>
          parts.map((part) => (
            <th key={`${label} ${part}`} scope="col">
              {part}
            </th>
          )),
        )}
      </tr>
    </thead>
  );
}
