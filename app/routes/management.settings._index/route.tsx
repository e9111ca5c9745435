import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { AppointmentUpload } from "~/components/appointment-upload/appointment-upload";
import { importLogColumns, importLogFilters, importLogSort } from "~/features/appointments/import-log-columns";
import { filterImportLog } from "~/features/appointments/operations.server";
import { uploadAppointments } from "~/features/appointments/upload-appointments.server";
import {
  addTreatmentType,
  deleteTreatmentType,
  saveTreatmentType,
} from "~/features/referrals/treatment-types/change-treatment-types.server";
import { readSettingsPage } from "./data.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { FilterPanel } from "~/lists/filter-panel";
import { ListHead } from "~/lists/list-head";
import { readListQuery } from "~/lists/list-query";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { StateText } from "~/ui/lists/chip";
import { Pager } from "~/ui/lists/pager";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import { DeleteTreatmentType, EditTreatmentType } from "./edit-treatment-type";
import { type ImportRow, presentSettings, type ShownSettings } from "./present";
import { TreatmentTypes } from "./treatment-types";

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

function ImportLog({ log }: { log: ShownSettings["log"] }) {
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

export const meta = pageTitle("Indstillinger");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readSettingsPage, readListQuery(args.request), {
    forms: { addTreatmentType, saveTreatmentType, uploadAppointments },
    subject: ({ treatmentTypes }) => ({
      items: { treatmentTypeId: treatmentTypes.map(({ id, settings }) => [id, settings?.version ?? 0]) },
    }),
  });

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    addTreatmentType,
    saveTreatmentType,
    deleteTreatmentType,
    uploadAppointments,
    filterImportLog,
  });

export default function TreatmentsAndTimes() {
  const { treatmentTypes, log } = presentSettings(useLoaderData<typeof loader>());
  const [query] = useSearchParams();
  const named = (name: string) => treatmentTypes.find(({ id }) => id === Number(query.get(name)));
  const toEdit = named("ret");
  const toDelete = named("slet");
  return (
    <div className="stack">
      {toEdit && <EditTreatmentType key={toEdit.id} type={toEdit} />}
      {toDelete && <DeleteTreatmentType type={toDelete} />}
      <TreatmentTypes types={treatmentTypes} />
      <section className="panel panel-body stack" id="upload" aria-labelledby="upload-titel">
        <h2 id="upload-titel">Upload af patienttider / uploades dagligt - bruges til at udsende SMS reminders</h2>
        <AppointmentUpload action={paths.settingsForms} />
      </section>
      <ImportLog log={log} />
    </div>
  );
}
