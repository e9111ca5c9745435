import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, Link, useLoaderData, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { startImport } from "~/features/appointments/import-appointments.server";
import { readAppointmentFile } from "~/features/appointments/read-appointments.server";
import { runCommand } from "~/http/command.server";
import { keepForm } from "~/http/keep-form";
import { runPage } from "~/http/page.server";
import { afterChanges } from "~/http/revalidation";
import { pageTitle } from "~/http/title";
import { useBusy } from "~/http/use-busy";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { StateText } from "~/ui/chip";
import { Notice } from "~/ui/notice";
import { PageHead } from "~/ui/page";
import { Pager } from "~/ui/pager";
import { Progress } from "~/ui/progress";
import { Table } from "~/ui/table";

export const meta = pageTitle("Import af patienttider");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readAppointmentFile, { fileId: args.params.fileId, page: new URL(args.request.url).searchParams.get("page") ?? 1 });

export const clientAction = keepForm;

export const action = (args: ActionFunctionArgs) => runCommand(args, { startImport });

/** Milliseconds between two looks at the progress (specification 1 §9). */
const POLL_MS = 3000;

/** What each row would do, then what it did (issue 4): the same page before, during and after the import. */
export default function AppointmentFile() {
  const file = useLoaderData<typeof loader>();
  const busy = useBusy("startImport");
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!file.isImporting) return;
    const timer = setInterval(revalidate, POLL_MS);
    return () => clearInterval(timer);
  }, [file.isImporting, revalidate]);
  return (
    <>
      <PageHead title={file.isWaiting ? "Prøvekørsel af patienttider" : "Import af patienttider"} tools={<ButtonLink to={paths.appointments}>Alle filer</ButtonLink>} />
      <p className="meta">
        {file.fileName} · {file.rowCount === 1 ? "1 linje" : `${file.rowCount.toLocaleString("da-DK")} linjer`}
        {file.importedAt && ` · importeret ${file.importedAt}`}
      </p>
      {file.isWaiting && (
        <Notice
          kind="info"
          title="Intet er importeret endnu."
          action={
            <Form method="post">
              <input type="hidden" name="fileId" value={file.id} />
              <Button name="intent" value="startImport" variant="primary" state={busy}>
                Importér
              </Button>
            </Form>
          }
        >
          Se, hvad hver linje vil gøre, og importér så.
        </Notice>
      )}
      {file.isImporting && (
        <Notice kind="info" title="Importeres." live action={<a href={paths.appointmentFile(file.id)}>Opdatér</a>}>
          <Progress label={`${file.rowsDone} af ${file.rowCount} linjer`} value={Math.floor((file.rowsDone / Math.max(1, file.rowCount)) * 100)} />
        </Notice>
      )}
      <ul className="row" aria-label="Sammentælling">
        {file.counts.map(({ count, ...state }) => (
          <li key={state.value}>
            <StateText state={{ ...state, label: `${count} ${state.label.toLowerCase()}` }} />
          </li>
        ))}
      </ul>
      <Table caption="Linjer" className="cards">
        <thead>
          <tr>
            {["Linje", "CPR-nummer", "Navn", "Behandlings dato & tid", "Ekstern kode", "Nr.", file.isWaiting ? "Vil blive" : "Status"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {file.rows.map((row) => (
            <tr key={row.line}>
              <td data-label="Linje">{row.line}</td>
              <td data-label="CPR-nummer">{row.cpr}</td>
              <td data-label="Navn">{row.name}</td>
              <td data-label="Behandlings dato & tid">{row.at}</td>
              <td data-label="Ekstern kode">{row.code}</td>
              <td data-label="Nr.">{row.referralId === null ? "–" : <Link to={paths.referral(row.referralId)}>{row.referralId}</Link>}</td>
              <td data-label={file.isWaiting ? "Vil blive" : "Status"}>
                <StateText state={row.state} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Pager page={file.page} pageCount={file.pageCount} href={(page) => `${paths.appointmentFile(file.id)}?page=${page}`} label="Sider" />
    </>
  );
}
