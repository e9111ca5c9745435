import { useRouteLoaderData } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { filePicker } from "~/ui/forms/file-picker";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { Notice } from "~/ui/feedback/notice";

/** Alert that the day's file is missing, with its upload. */
export function AppointmentNotice() {
  const shell = useRouteLoaderData<{ appointmentAlert: boolean }>("routes/management");
  if (!shell?.appointmentAlert) return null;
  return (
    <Notice kind="warn" title="Dagens patienttider er ikke uploadet.">
      <ActionForm
        operation="uploadAppointments"
        place="uploadAppointments"
        action={paths.appointmentUpload}
        encType="multipart/form-data"
        className="row tablet:inline-flex tablet:ml-1"
      >
        <input
          type="file"
          name="AppointmentFile"
          accept=".csv"
          aria-label="CSV-fil med patienttider"
          className={`${filePicker} max-w-full table:text-meta`}
        />
        <Button name="intent" value="uploadAppointments" size="small" icon="upload">
          Upload
        </Button>
        <a href={paths.appointments} className="inline-flex items-center min-h-11 table:min-h-6">
          Se tidligere filer
        </a>
      </ActionForm>
    </Notice>
  );
}
