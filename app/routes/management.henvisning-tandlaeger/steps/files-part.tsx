import { FileList } from "~/components/radiograph-upload/file-list";
import { FormPart } from "~/ui/layout/page";
import type { WizardData } from "../present";

interface FilesPartProps {
  wizard: WizardData;
  onCount?(count: number): void;
}

/** Images from step 1 on: with JavaScript they upload while the rest is typed. */
export function FilesPart({ wizard, onCount }: FilesPartProps) {
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
          files={wizard}
          inputId="billeder"
          onUnderWay={({ ids }) => onCount?.(ids.length)}
          form={null}
        />
      </FormPart>
    </div>
  );
}
