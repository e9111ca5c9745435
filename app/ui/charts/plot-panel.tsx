import type { ReactNode } from "react";
import { buttonClass } from "~/ui/forms/button";
import { classNames } from "~/ui/layout/class-names";
import { marks, type Series, toneClass } from "./series";

interface NumbersTable {
  heads: string[];
  groups?: { label: string; parts: readonly string[] }[];
  rows: (string | number | null)[][];
}

export interface PlotPanelProps {
  id: string;
  title: string;
  finding: ReactNode;
  series: readonly Series[];
  table: NumbersTable;
  csv: string;
  /** The last month is paler, since it is not over. */
  isLastRunning?: boolean;
  children: ReactNode;
}

/** Number columns on a phone; more become lines. */
const MAX_COLUMNS = 3;

/** A plot with title, finding, key, picture and table, shown by 'Vis tal' without JavaScript. */
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
