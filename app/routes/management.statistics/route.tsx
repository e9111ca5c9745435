import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { PageHead } from "~/components/page-frame/page-frame";
import { exportStatistics } from "~/features/statistics/operations.server";
import { readStatistics } from "~/features/statistics/read-statistics.server";
import { runCommand, runPage } from "~/http/runners/page.server";
import { usePublicSettings } from "~/http/use-public-settings";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import chartStyles from "~/styles/charts.css";
import { showDay } from "~/text/dates";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Tabs } from "~/ui/layout/tabs";
import { Verbatim } from "~/ui/layout/translation";
import { Pager } from "~/ui/lists/pager";
import { Doctors, Operations, Types } from "./lists";
import { Figures, MissingMaterial, Plots } from "./plots";
import { presentStatistics, type Statistics } from "./present";
import { ActionForm, useServerForm } from "~/http/forms/action-form";
import { Button } from "~/ui/forms/button";
import { DateField } from "~/ui/forms/date-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Disclosure } from "~/ui/layout/disclosure";
import { PlainTable } from "~/ui/lists/plain-table";

export const meta = pageTitle("Statistik");

export const links: LinksFunction = () => [{ rel: "stylesheet", href: chartStyles }];

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(
    args,
    readStatistics,
    {
      from: query.get("fra"),
      to: query.get("til"),
      dataType: query.get("type") ?? 0,
      page: query.get("side") ?? 1,
      openId: query.get("aaben"),
    },
    { forms: { exportStatistics } },
  );
};

export const action = (args: ActionFunctionArgs) => runCommand(args, { exportStatistics });

export default function StatisticsPage() {
  const page = presentStatistics(useLoaderData<typeof loader>());
  const { dataType } = page.list;
  const here = (change: Record<string, string | number | null>) => {
    const days = { fra: showDay(page.period.from), til: showDay(page.period.to) };
    const entries = Object.entries({ ...days, type: dataType, side: page.page, aaben: page.openId, ...change });
    const present = entries.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${paths.statistics}?${new URLSearchParams(present).toString()}`;
  };
  const tab = (label: string, type: number) => ({
    label,
    to: `${here({ type, side: null, aaben: null })}#liste`,
    current: type === dataType,
  });
  return (
    <>
      <p className="print-only">{usePublicSettings()?.clinicName}</p>
      <PageHead title="Statistik" note={page.heading} />
      {page.isBeingCounted && (
        <Notice kind="info">Henvisningerne bliver talt op. Tallene vokser, til det er gjort.</Notice>
      )}
      <PeriodForm page={page} />
      <Figures figures={page.figures} />
      <Plots page={page} />
      <MissingMaterial page={page} />
      <section id="liste" aria-label="Liste">
        <Tabs label="Datatype" tabs={[tab("Behandlinger", 0), tab("Henvisere", 1)]} />
        <p className="meta my-2">{page.listTotal}</p>
        {page.list.rows.length === 0 ? (
          <EmptyState action={<a href={paths.statistics}>Vis de seneste 12 måneder</a>} />
        ) : dataType === 0 ? (
          <>
            <Types page={page} toggle={(aaben) => here({ aaben })} />
            <h2 id="alle" className="mt-5 mb-2">
              Efter type, henviser og klinik
            </h2>
            <Operations rows={page.operations} />
          </>
        ) : (
          <Doctors rows={page.doctors} openId={page.openId} toggle={(aaben) => here({ aaben })} />
        )}
        <div className="list-foot mt-3">
          <div className="push">
            <Pager
              page={page.page}
              pageCount={page.pageCount}
              href={(side) => `${here({ side, aaben: null })}#${dataType === 0 ? "alle" : "liste"}`}
              label="Sider"
            />
          </div>
        </div>
        <ExportForm page={page} />
      </section>
      <PageViews page={page} />
    </>
  );
}

/** The shown list as CSV. A plain form, since a file is the answer. */
function ExportForm({ page: { list, period } }: { page: Statistics }) {
  const { form, fields, fieldErrors } = useServerForm<{ dateFrom: string; dateTo: string }>("exportStatistics", {
    guarded: "question",
  });
  return (
    <ActionForm
      operation="exportStatistics"
      reloadDocument
      of={form}
      className="panel panel-body stack-s mt-4 no-print"
    >
      <input type="hidden" name="dataType" value={list.dataType} />
      <input type="hidden" name="shownFrom" value={period.from} />
      <input type="hidden" name="shownTo" value={period.to} />
      <ErrorSummary errors={fieldErrors} title="Der er ikke eksporteret noget." id={form.errorId} />
      <div className="row">
        <b>Statistik liste eksport:</b>
        <DateField field={fields.dateFrom} label="Fra" placeholder="Fra" />
        <DateField field={fields.dateTo} label="Til" placeholder="Til" />
        <Button value="exportStatistics" icon="download">
          Export til CSV
        </Button>
        <span className="meta">Tomme datoer giver hele perioden</span>
      </div>
    </ActionForm>
  );
}

function PeriodForm({ page }: { page: Statistics }) {
  const { fields, errors, choices, list } = page;
  return (
    <form method="get" action={paths.statistics} className="panel panel-body mb-4 no-print" aria-label="Periode">
      <input type="hidden" name="type" value={list.dataType} />
      <div className="fields-row">
        <DateField
          name="fra"
          id="fra"
          label="Fra"
          defaultValue={fields.from}
          key={`fra ${fields.from}`}
          error={errors.from}
        />
        <DateField
          name="til"
          id="til"
          label="Til"
          defaultValue={fields.to}
          key={`til ${fields.to}`}
          error={errors.to}
        />
        <Button type="submit" variant="primary">
          Vis
        </Button>
        {choices.map(({ label, href, isCurrent }) => (
          <a
            key={label}
            href={href}
            aria-current={isCurrent ? "true" : undefined}
            className="mx-2 py-2 current:font-semibold current:text-ink"
          >
            {label}
          </a>
        ))}
      </div>
    </form>
  );
}

const pageName = ({ page }: Statistics["pageViews"][number]) => <Verbatim>{page}</Verbatim>;

function PageViews({ page: { pageViews } }: { page: Statistics }) {
  return (
    <Disclosure title="Sidevisninger" note="Uden cookies og adresser" className="mt-4">
      {pageViews.length === 0 ? (
        <p className="meta">Ingen data...</p>
      ) : (
        <PlainTable
          caption="Sidevisninger"
          columns={[
            { label: "Side", cell: pageName },
            { label: "Rolle", cell: (row) => row.role },
            { label: "Antal visninger", cell: (row) => row.count },
          ]}
          rows={pageViews}
          keyOf={(row) => `${row.page} ${row.role}`}
        />
      )}
    </Disclosure>
  );
}
