import { importLogColumns, importLogFilters, importLogSort } from "~/features/appointments/import-log-columns";
import { FilterPanel } from "~/lists/filter-panel";
import { ListHead } from "~/lists/list-head";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { StateText } from "~/ui/lists/chip";
import { Pager } from "~/ui/lists/pager";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import type { ImportRow, ShownSettings } from "./present";

const columns: PlainColumn<ImportRow>[] = [
  { label: "Importtid", cell: ({ importedAt }) => <time dateTime={importedAt.iso}>{importedAt.text}</time> },
  { label: "CPR-nummer", isVerbatim: true, cell: ({ cpr }) => cpr },
  {
    label: "Nr.",
    isVerbatim: true,
    cell: ({ referralId }) =>
      referralId === null ? "Ingen data..." : <a href={paths.referral(referralId)}>{referralId}</a>,
  },
  { label: "Behandlings dato & tid", cell: ({ at }) => at },
  {
    label: "Status",
    cell: ({ state, outcome }) => (
      <span title={outcome}>
        <StateText state={state} className="[&>span]:cut table:[&>span]:max-w-[100px]" />
      </span>
    ),
  },
  { label: "Ekstern kode", isVerbatim: true, cell: ({ code }) => code },
];

export function ImportLog({ log }: { log: ShownSettings["log"] }) {
  const here = (change: Record<string, string | number | null>) => {
    const next = { f: log.f, page: log.page, ...change };
    const entries = Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${paths.settings}?${new URLSearchParams(entries).toString()}#importlog`;
  };
  return (
    <section id="importlog" aria-labelledby="importlog-titel">
      <h2 id="importlog-titel" className="mt-6 mb-2">
        AFTALETIDSIMPORT
      </h2>
      {log.wasReset && <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>}
      <FilterPanel
        list={log}
        definitions={importLogFilters}
        intent="filterImportLog"
        action={paths.settingsForms}
        resetTo={`${paths.settings}#importlog`}
        chipTo={(f) => here({ f, page: 1 })}
        choices={{}}
        showsMore
        alwaysResets
      />
      <ListHead
        list={log}
        columns={importLogColumns}
        defaultSort={importLogSort}
        one="importeret tid"
        many="importerede tider"
        action={paths.settings}
      />
      {log.rows.length === 0 ? (
        <EmptyState action={<a href={`${paths.settings}#importlog`}>Reset filtre</a>} />
      ) : (
        <PlainTable caption="AFTALETIDSIMPORT" columns={columns} rows={log.rows} keyOf={({ id }) => id} />
      )}
      <div className="mt-3">
        <Pager
          page={log.page}
          pageCount={log.pageCount}
          href={(page) => here({ page, fra: page === 1 ? null : page > log.page ? log.end : log.start })}
        />
      </div>
    </section>
  );
}
