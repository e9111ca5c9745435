import type { ReactNode } from "react";
import { plotNames, type PlotName, plotTitles } from "~/features/statistics/plot-tables";
import { paths } from "~/paths";
import { Bars, Lines, Rows } from "~/ui/charts/picture";
import { PlotPanel } from "~/ui/charts/plot-panel";
import type { Series } from "~/ui/charts/series";
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
};

export function Figures({ figures }: Pick<Statistics, "figures">) {
  return (
    <dl className="panel mb-4 grid grid-cols-2 desk:grid-cols-4">
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

function Picture({ name, page }: { name: PlotName; page: Statistics }): ReactNode {
  const drawing = page.drawings[name];
  const own = series[name];
  const { labels, notes } = page.words[name];
  if (drawing.kind === "lines") return <Lines drawing={drawing} series={own} labels={labels} />;
  if (drawing.kind === "rows") return <Rows id={name} drawing={drawing} series={own} labels={labels} notes={notes} />;
  return <Bars id={name} drawing={drawing} series={own} labels={labels} isLastRunning={page.isLastRunning} />;
}
