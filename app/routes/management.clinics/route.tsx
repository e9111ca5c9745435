import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { type ClinicFieldName, ClinicFields, clinicLabels } from "~/components/clinic-form/clinic-fields";
import {
  activityState,
  ActivityText,
  DirectoryList,
  DirectoryPage,
  directoryHere,
  openNameColumn,
  RowName,
} from "~/components/directory-list/directory-list";
import { DuplicateSuggestions, mergeColumn, MergeHistory, MergeTools } from "~/components/merge-panel/merge-tools";
import { presentMerges } from "~/components/merge-panel/present-merges";
import { updateClinic } from "~/features/clinics/operations.server";
import { undoMerge } from "~/features/merging/operations.server";
import { clinicView } from "~/features/clinics/clinic-list";
import { clinicValues } from "~/features/clinics/clinic-values";
import { filterClinics, listClinicsPage } from "~/features/clinics/clinic-list.server";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { runCommand, runPage, type PageOf } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import type { Column } from "~/components/list/data-table";
import { presentFilter } from "~/lists/filters";
import { readListQuery, type Here } from "~/lists/list";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/fields";
import { Icon } from "~/ui/icons/icon";

type Values = PageOf<typeof listClinicsPage>;
type Clinic = Values["rows"][number];
type ListedClinic = ReturnType<typeof presentRow>;

function presentClinics(list: Values) {
  const rows = list.rows.map(presentRow);
  return {
    ...list,
    ...presentFilter(clinicView.filters, list),
    rows,
    merges: presentMerges(list.merges),
    open: rows.find(({ id }) => id === list.openId) ?? null,
  };
}

const presentRow = (clinic: Clinic) => ({
  ...clinic,
  state: activityState(clinic.status),
});

interface ClinicEditorProps {
  clinic: ListedClinic;
  setsStatus: boolean;
  more: ReactNode;
  here: Here;
}

function ClinicEditor({ clinic, setsStatus, more, here }: ClinicEditorProps) {
  const { form, fields, opened, summary } = useServerForm<Record<ClinicFieldName, string>>("updateClinic", {
    labels: clinicLabels,
    defaultValue: clinicValues(clinic, setsStatus),
  });
  return (
    <div className="w-full min-w-0 table:grid table:grid-cols-[minmax(0,1fr)_300px] table:grid-gap-6 pt-2">
      <ActionForm
        operation="updateClinic"
        action={here({})}
        preventScrollReset
        of={form}
        opened={opened}
        className="stack min-w-0"
      >
        <ErrorSummary {...summary("Klinikken er ikke opdateret.")} />
        <ClinicFields fields={fields} {...(!setsStatus && { shownStatus: String(clinic.status) })} />
        <div className="row">
          <IntentButton value="updateClinic" variant="primary">
            Opdater Klinik
          </IntentButton>
        </div>
      </ActionForm>
      <aside className="mt-4 table:mt-0" aria-label={`Om ${clinic.name}`}>
        <Members clinic={clinic} />
        {more}
      </aside>
    </div>
  );
}

function Members({ clinic: { members, memberCount } }: Pick<ClinicEditorProps, "clinic">) {
  return (
    <section aria-labelledby="medlemmer">
      <h3 id="medlemmer" className="mb-2">
        Henvisere/brugere ({memberCount})
      </h3>
      {members.length === 0 && <p className="meta">Ingen data...</p>}
      <ul className="divide-y divide-line">
        {members.map(({ id, name, isActive }) => (
          <li key={id} className={isActive ? "py-1" : "py-1 text-ink2"}>
            {name || (
              <>
                <Icon name="person" size={18} />
                <span className="sr-only">Uden navn</span>
              </>
            )}
            {!isActive && <span className="meta"> (inaktiv)</span>}
          </li>
        ))}
      </ul>
      {members.length < memberCount && (
        <p className="meta">De første {members.length} vises. Find resten under Brugere.</p>
      )}
    </section>
  );
}

const heads = {
  staff: { name: "Titel", status: "Status", members: "Henvisere", city: "By", phone: "Telefon", email: "Email" },
  others: { name: "Title", status: "Status", members: "Employees", city: "City", phone: "Phone", email: "Email" },
};

interface ColumnsFor {
  openId: number | null;
  here: Here;
  isStaffs: boolean;
  picks: number[];
  mayMerge: boolean;
  pickHere: Here;
}

function columns({ openId, here, isStaffs, picks, mayMerge, pickHere }: ColumnsFor): Column<ListedClinic>[] {
  const head = heads[isStaffs ? "staff" : "others"];
  return [
    {
      label: head.name,
      className: "c-first table:min-w-[180px]",
      isRowHeader: true,
      cell: (row) => <RowName row={row} openId={openId} here={here} />,
    },
    {
      label: head.status,
      isPlain: true,
      cell: ({ state, hasLeft }) => (
        <>
          <ActivityText state={state} />
          {hasLeft && <span className="meta"> Ikke længere i filteret</span>}
        </>
      ),
    },
    { label: head.members, cell: ({ memberCount }) => memberCount },
    { label: head.city, isVerbatim: true, cell: ({ city }) => city },
    { label: head.phone, isVerbatim: true, cell: ({ phone }) => phone },
    { label: head.email, isVerbatim: true, cell: ({ email }) => <span className="break-all">{email}</span> },
    ...(mayMerge ? [mergeColumn<ListedClinic>(picks, pickHere)] : []),
    openNameColumn(openId, here),
  ];
}

interface PageJumpProps {
  list: { f: string | null; page: number; pageCount: number };
}

function PageJump({ list: { f, page, pageCount } }: PageJumpProps) {
  if (pageCount === 1) return null;
  return (
    <Form action={paths.clinics} className="push flex items-center">
      {f && <input type="hidden" name="f" value={f} />}
      <TextField
        key={page}
        name="page"
        id="gaa-til-side"
        label={`Side, 1 til ${pageCount}`}
        labelHidden
        width={6}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={page}
        className="mr-2"
      />
      <Button>Gå til side</Button>
    </Form>
  );
}

export const meta = pageTitle("Klinik");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, listClinicsPage, readListQuery(args.request), {
    forms: { updateClinic },
    subject: ({ openId, rows, merges }) => {
      const open = rows.find(({ id }) => id === openId);
      if (open === undefined) return {};
      return {
        fields: { clinicId: open.id },
        items: { runId: merges?.map(({ id }) => [id]) ?? [] },
      };
    },
  });

export const action = (args: ActionFunctionArgs) => runCommand(args, { filterClinics, updateClinic, undoMerge });

export default function Clinics() {
  const list = presentClinics(useLoaderData<typeof loader>());
  const here = directoryHere(paths.clinics, list);
  const { pathname, search } = useLocation();
  const isMerging = pathname === paths.mergeClinics;
  return (
    <DirectoryPage
      title="Klinik"
      mergePath={paths.mergeClinics}
      tools={
        list.mayManageAll && (
          <div className="row">
            <MergeTools picks={list.picks} what="klinikkerne" path={paths.mergeClinics} here={here} />
            <ButtonLink to={`${paths.newClinic}${search}`} icon="plus" preventScrollReset>
              Opret klinik
            </ButtonLink>
          </div>
        )
      }
    >
      <DirectoryList
        list={list}
        view={clinicView}
        here={here}
        caption="Klinikker"
        one="klinik"
        many="klinikker"
        empty={{
          why: "Her kommer klinikkerne.",
          action: list.mayManageAll && (
            <div className="row mt-3">
              <ButtonLink to={paths.newClinic} icon="plus" preventScrollReset>
                Opret klinik
              </ButtonLink>
              <ButtonLink to={paths.directoryImport}>Importér fra fil</ButtonLink>
            </div>
          ),
        }}
        columns={columns({
          ...list,
          here,
          isStaffs: list.mayManageAll,
          pickHere: isMerging ? directoryHere(paths.mergeClinics, list) : here,
        })}
        openId={list.openId}
        open={
          list.open && (
            <ClinicEditor
              key={list.open.id}
              clinic={list.open}
              setsStatus={list.mayManageAll}
              here={here}
              more={
                <>
                  <DuplicateSuggestions
                    id={list.open.id}
                    title="Måske samme klinik"
                    others={list.likelySame}
                    here={here}
                  />
                  <MergeHistory merges={list.merges} here={here} />
                </>
              }
            />
          )
        }
        foot={<PageJump list={list} />}
      />
    </DirectoryPage>
  );
}
