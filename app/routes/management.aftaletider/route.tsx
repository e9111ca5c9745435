import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { listAppointmentFiles } from "~/features/appointments/read-appointments.server";
import { uploadAppointments } from "~/features/appointments/upload-appointments.server";
import { runCommand } from "~/http/runners/command.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPage } from "~/http/forms/keep-page";
import { runPage } from "~/http/runners/page.server";
import { afterChanges } from "~/http/forms/revalidation";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { StateText } from "~/ui/lists/chip";
import { EmptyState } from "~/ui/feedback/empty-state";
import { PageHead } from "~/ui/layout/page";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import { AppointmentUpload } from "./appointment-upload";
import { presentFile, type ShownFile } from "./present";

export const meta = pageTitle("Patienttider");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => runPage(args, listAppointmentFiles);

export const clientLoader = keepPage;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { uploadAppointments });

const columns: PlainColumn<ShownFile>[] = [
  { label: "Oprette dato", cell: ({ createdAt }) => createdAt },
  { label: "Import dato", cell: ({ importedAt }) => importedAt },
  { label: "Henvisere", cell: ({ who }) => who },
  { label: "Filnavn", cell: ({ id, fileName }) => <Link to={paths.appointmentFile(id)}>{fileName}</Link> },
  { label: "Status", cell: ({ state }) => <StateText state={state} /> },
];

/** The daily file of patients' times, and what came of the former ones. */
export default function Appointments() {
  const { formKey, files } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Patienttider" />
      <section className="panel panel-body stack" aria-labelledby="upload-titel">
        <h2 id="upload-titel">Upload af patienttider / uploades dagligt - (bruges til at udsende sms reminders)</h2>
        <AppointmentUpload formKey={formKey} />
      </section>
      <h2 className="flex flex-wrap items-center min-h-11 mt-3 mb-2">Log</h2>
      {files.length === 0 ? (
        <EmptyState why="Den første fil vises her, når den er uploadet." />
      ) : (
        <PlainTable caption="Uploadede filer" columns={columns} rows={files.map(presentFile)} keyOf={({ id }) => id} />
      )}
    </>
  );
}
