import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { startImport } from "~/features/appointments/import-appointments.server";
import { readAppointmentFile } from "~/features/appointments/read-appointments.server";
import { runCommand } from "~/http/runners/command.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { runPage } from "~/http/runners/page.server";
import { afterChanges } from "~/http/forms/revalidation";
import { pageTitle } from "~/http/title";
import { useBusy } from "~/http/forms/use-busy";
import { paths } from "~/paths";
import { Button, ButtonLink, type ButtonState } from "~/ui/forms/button";
import { StateText } from "~/ui/lists/chip";
import { Notice } from "~/ui/feedback/notice";
import { PageHead } from "~/ui/layout/page";
import { Pager } from "~/ui/lists/pager";
import { Progress } from "~/ui/feedback/progress";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import { presentFile, type ShownRow } from "./present";
import { useImportPoll } from "./use-import-poll";

export const meta = pageTitle("Import af patienttider");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readAppointmentFile,
    { fileId: args.params.fileId, page: new URL(args.request.url).searchParams.get("page") ?? 1 },
    { subject: ({ id }) => ({ fields: { fileId: id } }) },
  );

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { startImport });

const columnsOf = (isWaiting: boolean): PlainColumn<ShownRow>[] => [
  { label: "Linje", cell: ({ line }) => line },
  { label: "CPR-nummer", isVerbatim: true, cell: ({ cpr }) => cpr },
  { label: "Navn", isVerbatim: true, cell: ({ name }) => name },
  { label: "Behandlings dato & tid", cell: ({ at }) => at },
  { label: "Ekstern kode", isVerbatim: true, cell: ({ code }) => code },
  {
    label: "Nr.",
    isVerbatim: true,
    cell: ({ referralId }) => (referralId === null ? "–" : <Link to={paths.referral(referralId)}>{referralId}</Link>),
  },
  {
    label: isWaiting ? "Vil blive" : "Status",
    cell: ({ state, isDone }) =>
      isDone || isWaiting ? (
        <StateText state={state} />
      ) : (
        <span className="meta">Venter: {state.label.toLowerCase()}</span>
      ),
  },
];

/** What each row would do, then what it did: the same page before, during and after the import. */
export default function AppointmentFile() {
  const file = presentFile(useLoaderData<typeof loader>());
  const busy = useBusy("startImport");
  const isLost = useImportPoll(file);
  const lines = file.rowCount === 1 ? "1 linje" : `${file.rowCount.toLocaleString("da-DK")} linjer`;
  return (
    <>
      <PageHead
        title={file.isWaiting ? "Prøvekørsel af patienttider" : "Import af patienttider"}
        tools={<ButtonLink to={paths.appointments}>Alle filer</ButtonLink>}
      />
      <p className="meta">
        {file.fileName} · {lines}
        {file.importedAt && ` · importeret ${file.importedAt}`}
      </p>
      {file.isWaiting && (
        <Notice
          kind="info"
          title="Intet er importeret endnu."
          action={<StartImport file={file} label={`Importér ${lines}`} busy={busy} />}
        >
          Se, hvad hver linje vil gøre, og importér så.
        </Notice>
      )}
      {file.isFailed && (
        <Notice
          kind="error"
          title="Eksport csv mislykkedes."
          live
          action={<StartImport file={file} label="Prøv igen" busy={busy} />}
        >
          {file.rowsDone} af {file.rowCount} linjer er importeret. De bliver ikke importeret to gange.
        </Notice>
      )}
      {isLost && (
        <Notice kind="error" title="Eksport csv mislykkedes." live>
          Forbindelsen blev afbrudt, så vi kan ikke se, hvor langt importen er. Den fortsætter hos os, og vi ser efter
          igen om lidt.
        </Notice>
      )}
      {file.isImporting && !isLost && (
        <Notice kind="info" title="Importeres." live action={<a href={paths.appointmentFile(file.id)}>Opdatér</a>}>
          <Progress
            label={`${file.rowsDone} af ${file.rowCount} linjer`}
            value={Math.floor((file.rowsDone / Math.max(1, file.rowCount)) * 100)}
          />
        </Notice>
      )}
      <ul className="row" aria-label="Sammentælling">
        {file.counts.map((state) => (
          <li key={state.value}>
            <StateText state={state} />
          </li>
        ))}
      </ul>
      <PlainTable caption="Linjer" columns={columnsOf(file.isWaiting)} rows={file.rows} keyOf={({ line }) => line} />
      <Pager
        page={file.page}
        pageCount={file.pageCount}
        href={(page) => `${paths.appointmentFile(file.id)}?page=${page}`}
        label="Sider"
      />
    </>
  );
}

interface StartImportProps {
  file: { id: number; rowCount: number };
  label: string;
  busy: ButtonState;
}

function StartImport({ file, label, busy }: StartImportProps) {
  return (
    <ActionForm operation="startImport">
      <Button name="intent" value="startImport" variant="primary" state={busy} disabled={file.rowCount === 0}>
        {label}
      </Button>
    </ActionForm>
  );
}
