import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { AppointmentUpload } from "~/components/appointment-upload/appointment-upload";
import { uploadAppointments } from "~/features/appointments/operations.server";
import { importLogView } from "~/features/appointments/import-log-list";
import { filterImportLog } from "~/features/appointments/import-log-list.server";
import { describeOutcome, importStatuses, NOT_FOUND } from "~/features/appointments/import-rules";
import {
  addTreatmentType,
  deleteTreatmentType,
  saveTreatmentType,
} from "~/features/referrals/treatment-types/operations.server";
import { treatmentTypeValues } from "~/features/referrals/treatment-types/treatment-type-values";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { runCommand, runPage, type PageOf } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { ActiveFilters, FilterPanel } from "~/components/list/filter-panel";
import { presentFilter } from "~/lists/filters";
import { readListQuery, type Here, hereOf } from "~/lists/list";
import { ListHead, FilterReset } from "~/components/list/list-page";
import { paths } from "~/paths";
import { showDay, showShortDateTime } from "~/text/dates";
import { DialogPage } from "~/ui/feedback/dialog";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Button, ButtonLink } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { StateText } from "~/ui/lists/chip";
import { Pager } from "~/ui/lists/pager";
import { type PlainColumn, PlainTable, Table } from "~/ui/lists/plain-table";
import { readSettingsPage } from "./data.server";

type PageValues = PageOf<typeof readSettingsPage>;
type ShownSettings = ReturnType<typeof presentSettings>;
type ImportRow = ShownSettings["log"]["rows"][number];
type TreatmentTypeRow = ShownSettings["treatmentTypes"][number];

const presentSettings = ({ treatmentTypes, log, ...page }: PageValues) => ({
  ...page,
  treatmentTypes: treatmentTypes.map(({ id, name, settings }) => ({
    id,
    ...treatmentTypeValues({ externalCodes: "", recommendationLink: null, ...settings, name }),
  })),
  log: { ...log, ...presentFilter(importLogView.filters, log), sort: "", rows: log.rows.map(presentRow) },
});

const presentRow = ({ importedAt, cpr, date, time, status, note, ...row }: PageValues["log"]["rows"][number]) => ({
  ...row,
  importedAt: { iso: importedAt, text: showShortDateTime(importedAt) },
  cpr: cpr ?? "Ingen data...",
  at: date === null ? "Ingen data..." : `${showDay(date)}${time ? ` ${time.replace(":", ".")}` : ""}`,
  state: importStatuses.find(({ value }) => value === status) ?? importStatuses[NOT_FOUND],
  outcome: describeOutcome(status, note),
});

type Values = Pick<TreatmentTypeRow, "name" | "externalCodes" | "recommendationLink">;
const labels: Values = { name: "Behandlingstype", externalCodes: "Eksternt Id", recommendationLink: "Link til PDF" };

function EditTreatmentType({ type: { id, ...saved } }: { type: TreatmentTypeRow }) {
  const { form, fields, opened, summary } = useServerForm<Values>("saveTreatmentType", {
    labels,
    defaultValue: saved,
  });
  return (
    <DialogPage title="Redigere behandlingstype" closeTo={paths.settings}>
      <ActionForm
        operation="saveTreatmentType"
        place="saveTreatmentType"
        item={`treatmentTypeId:${id}`}
        action={`${paths.settingsForms}&ret=${id}`}
        preventScrollReset
        of={form}
        opened={opened}
        className="fields"
      >
        <ErrorSummary {...summary("Behandlingstypen er ikke gemt.")} />
        <TextField field={fields.name} label={labels.name} required autoComplete="off" />
        <TextField
          field={fields.externalCodes}
          label={labels.externalCodes}
          hint="Eksempel: 10,11,12"
          autoComplete="off"
        />
        <TextField
          field={fields.recommendationLink}
          label={labels.recommendationLink}
          autoComplete="off"
          inputMode="url"
        />
        <div className="row">
          <IntentButton value="saveTreatmentType" variant="primary">
            GEM
          </IntentButton>
          <ButtonLink to={paths.settings} preventScrollReset>
            Annuller
          </ButtonLink>
        </div>
      </ActionForm>
    </DialogPage>
  );
}

function DeleteTreatmentType({ type: { id, name } }: { type: TreatmentTypeRow }) {
  return (
    <DialogPage title={name} closeTo={paths.settings}>
      <p>Er du sikker på, at du vil slette behandlingstype ?</p>
      <p className="meta">Henvisninger, der har den, beholder den. Den kan ikke vælges mere.</p>
      <ActionForm
        operation="deleteTreatmentType"
        item={`treatmentTypeId:${id}`}
        place={`deleteTreatmentType-${id}`}
        action={paths.settingsForms}
        preventScrollReset
        className="row"
      >
        <Button value="deleteTreatmentType" variant="danger">
          slette
        </Button>
        <ButtonLink to={paths.settings} preventScrollReset>
          Annuller
        </ButtonLink>
      </ActionForm>
    </DialogPage>
  );
}

function TreatmentTypes({ types }: { types: readonly TreatmentTypeRow[] }) {
  return (
    <section id="behandlingstyper" aria-labelledby="behandlingstyper-titel">
      <h2 id="behandlingstyper-titel" className="mb-2">
        Behandlingstyper
      </h2>
      {types.length === 0 ? (
        <EmptyState icon="table" why="Her kommer de behandlinger, som en henvisning kan planlægges til." />
      ) : (
        <Table caption="Behandlingstyper">
          <thead>
            <tr>
              <th scope="col">{labels.name}</th>
              <th scope="col">{labels.externalCodes}</th>
              <th scope="col">{labels.recommendationLink}</th>
              <th scope="col">
                <span className="sr-only">Handlinger</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {types.map((type) => (
              <TreatmentType key={type.id} type={type} />
            ))}
          </tbody>
        </Table>
      )}
      <AddTreatmentType key={types.length} />
    </section>
  );
}

function TreatmentType({ type: { id, name, externalCodes, recommendationLink } }: { type: TreatmentTypeRow }) {
  return (
    <tr id={`behandlingstype-${id}`}>
      <td role="rowheader" className="c-first">
        {name}
      </td>
      <td data-label={labels.externalCodes} translate="no">
        {externalCodes}
      </td>
      <td data-label={labels.recommendationLink}>
        {recommendationLink && (
          <a href={recommendationLink} target="_blank" rel="noreferrer" aria-label={`Vis PDF for ${name}`}>
            Vis PDF
          </a>
        )}
      </td>
      <td>
        <div className="row table:justify-end">
          <ButtonLink
            to={`${paths.settings}?ret=${id}`}
            size="small"
            variant="plain"
            icon="edit"
            preventScrollReset
            aria-label={`Redigere behandlingstype ${name}`}
          >
            Ret
          </ButtonLink>
          <ButtonLink
            to={`${paths.settings}?slet=${id}`}
            size="small"
            variant="plain"
            icon="delete"
            preventScrollReset
            aria-label={`Slette ${name}`}
          >
            Slet
          </ButtonLink>
        </div>
      </td>
    </tr>
  );
}

function AddTreatmentType() {
  const { form, fields, summary } = useServerForm<{ name: string }>("addTreatmentType");
  const [isEmpty, setEmpty] = useState(!fields.name.initialValue);
  const isHydrated = useHydrated();
  return (
    <ActionForm
      operation="addTreatmentType"
      place="addTreatmentType"
      action={paths.settingsForms}
      preventScrollReset
      of={form}
      className="mt-3"
    >
      <ErrorSummary {...summary("Behandlingstypen er ikke tilføjet.")} />
      <div className="row items-end">
        <TextField
          field={fields.name}
          label="Ny behandlingstype"
          autoComplete="off"
          onChange={(event) => setEmpty(event.target.value.trim() === "")}
        />
        <IntentButton value="addTreatmentType" icon="plus" disabled={isHydrated && isEmpty}>
          tilføj
        </IntentButton>
      </div>
    </ActionForm>
  );
}

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
  const here: Here = (change) => `${hereOf(paths.settings, { f: log.f, page: log.page })(change)}#importlog`;
  return (
    <section id="importlog" aria-labelledby="importlog-titel">
      <h2 id="importlog-titel" className="mt-6 mb-2">
        AFTALETIDSIMPORT
      </h2>
      {log.wasReset && <FilterReset />}
      <FilterPanel list={log} view={importLogView} action={paths.settingsForms} choices={{}} showsMore />
      <ListHead
        list={log}
        view={importLogView}
        one="importeret tid"
        many="importerede tider"
        filters={
          <ActiveFilters
            active={log.active}
            resetTo={importLogView.path}
            chipTo={(f) => here({ f, page: 1 })}
            alwaysResets
          />
        }
      />
      {log.rows.length === 0 ? (
        log.f !== null && log.active.length > 0 ? (
          <EmptyState icon="search" />
        ) : (
          <EmptyState why="Her kommer hver linje af de filer, der er læst ind." />
        )
      ) : (
        <PlainTable caption="AFTALETIDSIMPORT" columns={columns} rows={log.rows} keyOf={({ id }) => id} />
      )}
      <div className="list-foot">
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

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readSettingsPage, readListQuery(args.request), {
    forms: { addTreatmentType, saveTreatmentType, uploadAppointments },
    subject: ({ treatmentTypes }) => ({
      items: { treatmentTypeId: treatmentTypes.map(({ id }) => [id]) },
    }),
  });

export const uploads = [uploadAppointments];

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
