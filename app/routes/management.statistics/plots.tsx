import type { ReactNode } from "react";
import { plotNames, type PlotName, plotTitles } from "~/features/statistics/plot-tables";
import { paths } from "~/paths";
import { Bars, Lines, Rows, PlotPanel, type Series } from "~/ui/charts/picture";
import { Table } from "~/ui/lists/plain-table";
import type { Statistics } from "./present";

const series: Readonly<Record<PlotName, readonly Series[]>> = {
  henvisninger: [
    { label: "Almindelig", tone: "mid" },
    { label: "Haste henvisning", tone: "red", isHatched: true },
  ],
  ventetider: [
    { label: "til operation", tone: "dark", mark: "circle" },
    { label: "til indkaldelse", tone: "mid", mark: "square" },
    { label: "til visitering", tone: "warn", mark: "diamond" },
  ],
  aabne: [
    { label: "under 7 dage", tone: "light" },
    { label: "7–30 dage", tone: "mid" },
    { label: "over 30 dage", tone: "dark" },
  ],
  afbud: [
    { label: "Afbud", tone: "mid" },
    { label: "Ikke truffet", tone: "light" },
  ],
  beskeder: [
    { label: "kom frem", tone: "mid" },
    { label: "ikke tilmeldt e-Boks", tone: "light" },
    { label: "fejlede", tone: "red", isHatched: true },
    { label: "ukendt", tone: "dark" },
  ],
  tavse: [
    { label: "tavse i ugen", tone: "mid", mark: "circle" },
    { label: "stadig ved ugens slutning", tone: "dark", mark: "diamond" },
  ],
};

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
            title={plotTitles[name]}
            finding={
              <>
                {before}
                <b className="text-ink">{bold}</b>
                {after}
              </>
            }
            series={series[name]}
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
  const own = series[name];
  const { labels, notes } = page.words[name];
  if (drawing.kind === "lines") return <Lines drawing={drawing} series={own} labels={labels} />;
  if (drawing.kind === "rows") return <Rows id={name} drawing={drawing} series={own} labels={labels} notes={notes} />;
  return <Bars id={name} drawing={drawing} series={own} labels={labels} isLastRunning={page.isLastRunning} />;
}
