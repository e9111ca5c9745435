import type { ReactNode } from "react";
import { ActionForm, useBusy, useServerForm } from "~/http/forms/action-form";
import { acceptAttribute } from "~/files/file-rules";
import { guidanceText } from "~/files/file-texts";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";

interface AppointmentUploadProps {
  action: string;
  children?: ReactNode;
}

export function AppointmentUpload({ action, children }: AppointmentUploadProps) {
  const { form, fields, summary } = useServerForm<{ AppointmentFile?: string }>("uploadAppointments");
  return (
    <ActionForm
      operation="uploadAppointments"
      place="uploadAppointments"
      action={action}
      preventScrollReset
      encType="multipart/form-data"
      of={form}
      className="stack"
    >
      <ErrorSummary {...summary()} title="Eksport csv mislykkedes." />
      <FileField
        field={fields.AppointmentFile}
        label="CSV-fil"
        accept={acceptAttribute("appointments")}
        types={guidanceText("appointments")}
        hint="Første linje er kolonnernes navne: CPR, Navn, Mobil, E-mail, Dato, Tid, Varighed, Kode, Behandler og Status. CPR, Dato, Tid og Kode skal være der."
      />
      <div className="row">
        <Button value="uploadAppointments" variant="primary" icon="upload" state={useBusy("uploadAppointments")}>
          Upload
        </Button>
        {children}
      </div>
    </ActionForm>
  );
}
