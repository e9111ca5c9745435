import { useNavigation, useSubmit } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { idOfSent } from "~/http/forms/use-action-result";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { filePicker } from "~/ui/forms/file-input";
import { Icon } from "~/ui/icons/icon";
import { classNames } from "~/ui/layout/class-names";

export const dropLine = "border-dashed border-line2 bg-surface";

const FORM_ID = "dropAppointments";

interface AppointmentDropProps {
  label: string;
  className?: string;
  children?: ReactNode;
}

/**
 * One line that takes the day's file of appointment times and shows its dry run. With JavaScript the file is sent as
 * soon as it is dropped or chosen; without, by a button.
 */
export function AppointmentDrop({ label, className, children }: AppointmentDropProps) {
  const submit = useSubmit();
  const input = useRef<HTMLInputElement>(null);
  // A file may have been chosen before the script came.
  useEffect(() => {
    if (input.current?.files?.length) input.current.dispatchEvent(new Event("change", { bubbles: true }));
  }, []);
  const { formData } = useNavigation();
  const isSending = formData !== undefined && idOfSent(formData) === FORM_ID;
  return (
    <ActionForm
      operation="uploadAppointments"
      place={FORM_ID}
      action={paths.appointmentUpload}
      encType="multipart/form-data"
      className={classNames("flex flex-wrap items-center mb-2 rounded-panel border print:hidden", className)}
    >
      {/* The input lies over the line, so that a file can be dropped on it. */}
      <label className="file-field flex items-center flex-[1_1_26rem] flex-wrap min-w-0 min-h-11 table:min-h-9 px-3">
        <Icon name="upload" size={18} className="flex-none mr-2" />
        <span className="flex-[99_1_9rem] max-w-max scripts:max-w-none mr-3">
          <b>{label}</b>{" "}
          {isSending ? (
            "Filen læses …"
          ) : (
            <span className="hidden scripts:inline">
              <span className="phone:hidden">træk CSV-filen hertil, eller </span>
              <u className="text-primary-ink">vælg fil</u>
            </span>
          )}
        </span>
        <input
          ref={input}
          type="file"
          name="AppointmentFile"
          accept=".csv"
          aria-label="CSV-fil med patienttider"
          className={`${filePicker} flex-[1_1_10rem] min-w-0`}
          onChange={({ currentTarget }) => {
            // The effect above and the browser may both report one file. It was sent at the first report.
            if (!currentTarget.files?.length) return;
            submit(currentTarget.form);
            // A corrected file of the same name is a change, too.
            currentTarget.value = "";
          }}
        />
      </label>
      <Button size="small" className="mx-3 scripts:hidden">
        Upload
      </Button>
      {children}
    </ActionForm>
  );
}
