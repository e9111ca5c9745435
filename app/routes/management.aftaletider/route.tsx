import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { listAppointmentFiles } from "~/features/appointments/read-appointments.server";
import { uploadAppointments } from "~/features/appointments/upload-appointments.server";
import { runCommand } from "~/http/command.server";
import { keepForm } from "~/http/keep-form";
import { runPage } from "~/http/page.server";
import { afterChanges } from "~/http/revalidation";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { StateText } from "~/ui/chip";
import { EmptyState } from "~/ui/list-states";
import { PageHead } from "~/ui/page";
import { Table } from "~/ui/table";
import { AppointmentUpload } from "./appointment-upload";

export const meta = pageTitle("Patienttider");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => runPage(args, listAppointmentFiles);

export const clientAction = keepForm;

export const action = (args: ActionFunctionArgs) => runCommand(args, { uploadAppointments });

const states = {
  1: { label: "Importeret", tone: "ok", icon: "done" },
  2: { label: "Mislykkedes", tone: "err", icon: "failed" },
  3: { label: "Importeres", tone: "closed", icon: "hourglass" },
} as const;
const waiting = { label: "Afventer", tone: "closed", icon: "hourglass" } as const;

/** The daily file of patients' times, and what came of the former ones (specification 2 §2.6). */
export default function Appointments() {
  const { formKey, files } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Patienttider" />
      <section className="panel panel-body stack" aria-labelledby="upload-titel">
        <h2 id="upload-titel">Upload af patienttider / uploades dagligt - (bruges til at udsende sms reminders)</h2>
        <AppointmentUpload formKey={formKey} />
      </section>
      <h2 className="list-head">Log</h2>
      {files.length === 0 ? (
        <EmptyState why="Den første fil vises her, når den er uploadet." />
      ) : (
        <Table caption="Uploadede filer" className="cards">
          <thead>
            <tr>
              {["Oprette dato", "Import dato", "Henvisere", "Filnavn", "Status"].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {files.map((file) => (
              <tr key={file.id}>
                <td data-label="Oprette dato">{file.createdAt}</td>
                <td data-label="Import dato">{file.importedAt ?? "–"}</td>
                <td data-label="Henvisere">{file.who}</td>
                <td data-label="Filnavn">
                  <Link to={paths.appointmentFile(file.id)}>{file.fileName}</Link>
                </td>
                <td data-label="Status">
                  <StateText state={states[file.status as keyof typeof states] ?? waiting} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}
