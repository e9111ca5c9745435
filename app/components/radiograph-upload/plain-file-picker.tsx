import { acceptAttribute, sendingText, radiographTypes } from "~/files/file-rules";
import { Button } from "~/ui/forms/button";
import { FileField } from "~/ui/forms/file-field";
import { SelectField } from "~/ui/forms/select-field";
import { useBusy } from "~/http/forms/use-busy";

interface PlainFilePickerProps {
  /** Id of the form that the files go with. */
  form: string;
  formKey: string;
  inputId: string;
  error: string[] | undefined;
}

/** Images without JavaScript: several at a time, one type for all of them, as often as needed. */
export function PlainFilePicker({ form, formKey, inputId, error }: PlainFilePickerProps) {
  const add = useBusy("addRadiographs");
  return (
    <fieldset className="dependent">
      <legend className="label">Tilføj filer</legend>
      <SelectField
        name="radiographType"
        form={form}
        label="Billedtype"
        choices={radiographTypes}
        width={20}
        defaultValue={0}
      />
      <FileField
        // A picker that still names what has arrived would send it again.
        key={formKey}
        name="radiographs"
        form={form}
        id={inputId}
        label="Filer"
        multiple
        accept={acceptAttribute("radiograph")}
        types={sendingText("radiograph")}
        error={error}
      />
      <Button name="intent" value="addRadiographs" form={form} icon="upload" state={add}>
        Tilføj filer
      </Button>
    </fieldset>
  );
}
