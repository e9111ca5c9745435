import { AppointmentLog } from "./appointment-log";
import { AppointmentUpload } from "~/components/appointment-upload/appointment-upload";
import { buttonClass } from "~/ui/forms/button";
import { paths } from "~/paths";
import { Icon } from "~/ui/icons/icon";
import type { presentSms } from "./present";

interface UploadPartProps {
  list: ReturnType<typeof presentSms>;
  isLogOpen: boolean;
  toggle: string;
}

export function UploadPart({ list: { upload, lastImport }, isLogOpen, toggle }: UploadPartProps) {
  return (
    <section className="panel panel-body stack mt-4" id="upload" aria-labelledby="upload-titel">
      <h2 id="upload-titel">Upload af patienttider / uploades dagligt - (bruges til at udsende sms reminders)</h2>
      <AppointmentUpload action={paths.appointmentUpload}>
        <a href={`${toggle}#upload`} className={buttonClass()} aria-expanded={isLogOpen} data-keep-scroll="">
          <Icon name="history" size={18} className="mr-2" />
          Vis log
        </a>
        {lastImport && <span className="meta">{lastImport}</span>}
      </AppointmentUpload>
      {isLogOpen && <AppointmentLog files={upload.files} />}
    </section>
  );
}
