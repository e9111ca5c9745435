import { FileList } from "~/components/radiograph-upload/file-list";
import type { UploadProgress } from "~/components/radiograph-upload/radiograph-uploads";
import { usePageTicket } from "~/http/forms/use-action-result";
import type { ReceivedFile } from "~/ui/forms/file-field";
import { FormPart } from "~/ui/layout/page";
import type { WizardData } from "../present";

export const IMAGES_INPUT = "billeder";

interface FilesPartProps {
  wizard: WizardData;
  onUnderWay?(underWay: UploadProgress): void;
  /** Without JavaScript the images are sent with it; null where step 3 takes them. */
  form?: { id: string; error: string[] | undefined; received: readonly ReceivedFile[] } | null;
}

export function FilesPart({ wizard, onUnderWay, form = null }: FilesPartProps) {
  const { referralId, formKey } = wizard;
  const { sealed } = usePageTicket();
  return (
    <div className="files-part border-t border-line">
      <FormPart
        title="RØNTGENBILLEDER"
        hint={<span className="hidden scripts:inline">De sendes, mens du skriver videre.</span>}
      >
        {form === null && <p className="meta m-0 scripts:hidden">Røntgenbilleder vedhæftes på trin 3.</p>}
        <FileList
          key={referralId ?? formKey}
          target={referralId === null ? { formKey } : { referralId }}
          isSent={wizard.isSent}
          files={wizard}
          inputId={IMAGES_INPUT}
          onUnderWay={(underWay) => onUnderWay?.(underWay)}
          form={form && { ...form, key: sealed }}
        />
      </FormPart>
    </div>
  );
}
