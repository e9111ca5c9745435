import { FileList } from "~/components/radiograph-upload/file-list";
import type { UploadProgress } from "~/components/radiograph-upload/radiograph-uploads";
import { FormPart } from "~/ui/layout/page";
import type { WizardData } from "../present";

interface FilesPartProps {
  wizard: WizardData;
  onUnderWay?(underWay: UploadProgress): void;
}

/** Images from step 1 on: with JavaScript they upload while the rest is typed. */
export function FilesPart({ wizard, onUnderWay }: FilesPartProps) {
  const { referralId, formKey } = wizard;
  return (
    <div className="files-part border-t border-line">
      <FormPart
        title="RØNTGENBILLEDER"
        hint={<span className="hidden scripts:inline">De sendes, mens du skriver videre.</span>}
      >
        <p className="meta m-0 scripts:hidden">Røntgenbilleder vedhæftes på trin 3.</p>
        <FileList
          key={referralId ?? formKey}
          target={referralId === null ? { formKey } : { referralId }}
          isSent={wizard.isSent}
          files={wizard}
          inputId="billeder"
          onUnderWay={(underWay) => onUnderWay?.(underWay)}
          form={null}
        />
      </FormPart>
    </div>
  );
}
