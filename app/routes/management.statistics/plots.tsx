import type { ReactNode } from "react";
import { plotNames, type PlotName, plots } from "~/features/statistics/plot-tables";
import { paths } from "~/paths";
import { Bars, Lines, PlotPanel, Rows } from "~/ui/charts/picture";
import { Table } from "~/ui/lists/plain-table";
import type { Statistics } from "./present";

export function Figures({ figures }: Pick<Statistics, "figures">) {
  return (
    <dl className="panel mb-4 grid grid-cols-2 desk:grid-cols-4 print:grid-cols-4">
      {figures.map(({ value, label }) => (
        <div key={label} className="flex flex-col-reverse justify-end px-4 py-3">
          <dt className="meta">{label}</dt>
          <dd className="m-0 text-title font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Plots({ page }: { page: Statistics }) {
  return (
    <div className="plots mb-4">
      {plotNames.map((name) => {
        const [before, bold, after] = page.findings[name]!;
        return (
          <PlotPanel
            key={name}
            id={name}
            title={plots[name].title}
            finding={
              <>
                {before}
                <b className="text-ink">{bold}</b>
                {after}
              </>
            }
            series={plots[name].series}
            table={page.tables[name]}
            isLastRunning={page.isLastRunning && page.drawings[name].kind === "bars"}
            csv={paths.statisticsPlot(name, page.period.from, page.period.to)}
          >
            <Picture name={name} page={page} />
          </PlotPanel>
        );
      })}
    </div>
  );
}

/** Which items were asked for, by clinic: what a clinic can tell a referrer is always missing. */
export function MissingMaterial({ page: { tables, moreClinics, period } }: { page: Statistics }) {
  const [first, ...heads] = tables.materiale.heads;
  return (
    <section className="panel panel-body mb-4" aria-labelledby="materiale-titel" id="materiale">
      <h2 id="materiale-titel">Materiale, der manglede</h2>
      {tables.materiale.rows.length === 0 ? (
        <p className="mt-1 text-ink2">Klinikken har ikke bedt om materiale i perioden.</p>
      ) : (
        <>
          <p className="mt-1 mb-2 text-ink2">
            Så mange gange er der bedt om det, ud af klinikkens henvisninger i perioden.
          </p>
          <Table caption="Materiale, der manglede" className="name-first" wide>
            <thead>
              <tr>
                <th scope="col">{first}</th>
                {heads.map((head) => (
                  <th key={head} scope="col" className="num">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {tables.materiale.rows.map(([clinic, ...counts], index) => (
                <tr key={index}>
                  <td className="c-first font-semibold" translate="no">
                    {clinic}
                  </td>
                  {counts.map((count, column) => (
                    <td key={heads[column]} data-label={heads[column]} className="num">
                      {count || "–"}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </Table>
          <p className="meta mt-2 no-print">
            {moreClinics > 0 && `og ${moreClinics} klinikker til i filen `}
            <a href={paths.statisticsPlot("materiale", period.from, period.to)} download="">
              CSV<span className="sr-only"> med materiale, der manglede</span>
            </a>
          </p>
        </>
      )}
    </section>
  );
}

function Picture({ name, page }: { name: PlotName; page: Statistics }): ReactNode {
  const drawing = page.drawings[name];
  const own = plots[name].series;
  const { labels, notes } = page.words[name];
  if (drawing.kind === "lines") return <Lines drawing={drawing} series={own} labels={labels} />;
  if (drawing.kind === "rows") return <Rows id={name} drawing={drawing} series={own} labels={labels} notes={notes} />;
  return <Bars id={name} drawing={drawing} series={own} labels={labels} isLastRunning={page.isLastRunning} />;
}
